import SampleDomain
import SampleServices

extension Texts {
    static let clearSummary = "Deletes the completed items, after asking."
    static let deleteAllSummary = "Deletes all items, after asking."
    static let importSummary = "Adds an item for every line of a text, at the end of the list."

    static let yesOption = "Don't ask."
    static let fileOperand = "The path of a text file, or a hyphen for standard input."

    static let sweepNote = """
        On a terminal, the command asks for confirmation, at most three times if the answer is neither yes nor no.
        Anything but y or yes leaves the list unchanged and ends with status 1. Without a terminal, as in scripts,
        pass --yes; otherwise the command ends with status 64. One undo brings everything back.
        """
    static let importNote = """
        The text is UTF-8, with one title on each line; blank lines are skipped, and a line may have 65,536 bytes.
        The items are saved in batches of a thousand or more, each before the next one is read. If the import can't
        continue, because a line is damaged or the disk is full, or if control-C interrupts it, what was saved is
        kept, and a message says how much that is. One undo removes everything that the import added.
        """
    static let importJSONNote = """
        With --json, it prints one object on success:
          outcome  "imported"
          added    how many items were added
          blank    how many lines were blank, and skipped
        """

    static let standardInput = "standard input"
    static let unclearAnswer = "Please answer y or n."
    static let nothingDeleted = "Nothing was deleted."
    static let nothingToDelete = "There is nothing to delete."
    static let interrupted = "Interrupted."

    static func question(_ sweep: Sweep, _ count: Int) -> String {
        switch (sweep, count) {
        case (.completed, 1): "Delete the completed item?"
        case (.completed, _): "Delete the \(count.formatted()) completed items?"
        case (.all, 1): "Delete the only item?"
        case (.all, _): "Delete all \(count.formatted()) items?"
        }
    }

    static func more(_ count: Int) -> String { "… and \(count.formatted()) more" }

    static func imported(_ progress: Items.ImportProgress) -> String {
        let skipped =
            switch progress.blank {
            case 0: ""
            case 1: "; 1 blank line was skipped"
            default: "; \(progress.blank.formatted()) blank lines were skipped"
            }
        return "Imported \(items(progress.saved))\(skipped)."
    }

    static func importedBefore(_ count: Int) -> String {
        switch count {
        case 0: "Nothing was imported."
        case 1: "1 item was imported; items undo takes it back."
        default: "\(items(count)) were imported; items undo takes them back."
        }
    }

    static func explain(_ error: TextLinesError) -> [String] {
        ["\(error.place.visible): \(error.explanation.visible)", error.advice]
    }

    private static func items(_ count: Int) -> String {
        count == 1 ? "1 item" : "\(count.formatted()) items"
    }
}
