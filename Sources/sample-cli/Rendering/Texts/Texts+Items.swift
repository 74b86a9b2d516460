import SampleDomain
import SampleServices

extension Texts {
    static let standardInput = "standard input"
    static let nothingDeleted = "Nothing was deleted."
    static let nothingToDelete = "There is nothing to delete."
    static let interrupted = "Interrupted."

    /// A question about many items, some of which a filter may hide.
    static func question(_ sweep: Sweep, _ count: Int, hidden: Int = 0) -> String {
        let hint =
            switch hidden {
            case ...0: ""
            case count: ", not shown now"
            default: ", \(hidden.formatted()) of them not shown now"
            }
        return switch (sweep, count) {
        case (.completed, 1): "Delete the completed item\(hint)?"
        case (.completed, _): "Delete all \(count.formatted()) completed items\(hint)?"
        case (.all, 1): "Delete the only item\(hint)?"
        case (.all, _): "Delete all \(count.formatted()) items\(hint)?"
        }
    }

    static func more(_ count: Int) -> String { "… and \(count.formatted()) more" }

    static func imported(_ progress: Items.ImportProgress) -> String {
        let skipped = progress.blank == 0 ? "" : ", skipped \(count(progress.blank, "blank line"))"
        return "Imported \(count(progress.saved, "item"))\(skipped)."
    }

    static func importedBefore(_ saved: Int) -> String {
        saved == 0 ? "Nothing was imported." : "Imported \(count(saved, "item")) before; items undo removes them."
    }

    private static func count(_ count: Int, _ noun: String) -> String {
        "\(count.formatted()) \(noun)\(count == 1 ? "" : "s")"
    }
}
