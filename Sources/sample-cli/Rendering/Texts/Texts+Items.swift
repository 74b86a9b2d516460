import SampleDomain
import SampleServices

extension Texts {
    static let clearSummary = "Deletes the completed items, after asking."
    static let deleteAllSummary = "Deletes all items, after asking."
    static let yesOption = "Don't ask."
    static let sweepNote = """
        The question is asked on a terminal, and anything but y or yes leaves the list as it is, with status 1. Without a
        terminal, as in scripts, the answer has to be given before: with --yes, or it ends with status 64. One undo brings
        everything back.
        """
    static let unclearAnswer = "Please answer y or n."
    static let nothingDeleted = "Nothing was deleted."
    static let nothingToDelete = "There is nothing to delete."
    static func question(_ sweep: Sweep, _ count: Int) -> String {
        switch (sweep, count) {
        case (.completed, 1): "Delete the completed item?"
        case (.completed, _): "Delete the \(count.formatted()) completed items?"
        case (.all, 1): "Delete the only item?"
        case (.all, _): "Delete all \(count.formatted()) items?"
        }
    }

    static func more(_ count: Int) -> String { "… and \(count.formatted()) more" }

}
