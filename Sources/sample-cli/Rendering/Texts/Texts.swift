import Foundation
import SampleDomain
import SampleServices

/// The texts of this program, apart from its help. Errors of services and the presenter have their own.
enum Texts {
    static let program = "sample-cli"
    static let version = "sample-cli 0.1.0-dev"
}

// MARK: Help and usage errors

extension Texts {
    static func usage(of path: [CommandSpec]) -> String {
        let words = path.map(\.name) + (path.last?.operands.map(\.usage) ?? [])
        let command = path.last?.subcommands.isEmpty == false ? " COMMAND" : ""
        return "Usage: \(words.joined(separator: " "))\(command) [OPTION]…"
    }

    static func explain(_ error: UsageError) -> String {
        switch error {
        case .missingCommand: "A command is missing."
        case .unknownCommand(let word): "There is no command “\(word.visible)”."
        case .unknownOption(let word): "There is no option “\(word.visible)”."
        case .foreignOption(let option): "The option --\(option.name) makes no sense with this command."
        case .missingValue(let option): "The option --\(option.name) needs a value: \(option.usage)."
        case .unwantedValue(let option): "The option --\(option.name) takes no value."
        case .missingOperand(let operand): "\(operand.name) is missing."
        case .unwantedOperand(let word): "“\(word.visible)” is one word too many."
        case .blankOperand(let operand): "\(operand.name) must not be blank."
        case .noNumber(let word, let operand): "\(operand.name) has to be a whole number, not “\(word.visible)”."
        case .noAddress(let word, let option):
            "--\(option.name) has to be the address of a server, such as http://localhost:8080, not “\(word.visible)”."
        case .noChoice(let word, let operand, let choices):
            "\(operand.name) has to be \(choices.joined(separator: " or ")), not “\(word.visible)”."
        case .unasked(let option): "Without a terminal there is no way to ask: pass --\(option.name) to confirm."
        case .noName(let error): "\(error.explanation) \(error.advice)".visible
        }
    }

    static func unwritten(_ file: String, _ error: any Error) -> String {
        "The trace could not be written to \(file.visible): \(error.localizedDescription.visible)"
    }

    static func unread(_ file: String, _ error: any Error) -> String {
        "\(file.visible) can't be read: \(error.localizedDescription.visible)"
    }

    static func unreadable(argument number: Int) -> String {
        "The argument number \(number.formatted()) is not valid UTF-8 text."
    }

    static func seeHelp(_ path: [CommandSpec]) -> String {
        "See: \(path.map(\.name).joined(separator: " ")) --help"
    }
}

// MARK: The list

extension Texts {
    static let emptyList = "There is nothing on the list."
    static let blankTitle = "Nothing was added: the title is blank."
    static let nothingLeftToUndo =
        "Nothing was undone: everything was changed since, or never saved. The step is off the history now."
    static let nothingLeftToRedo = "Nothing was redone: everything was changed since. The step is off the history now."
    static let added = "Added"
    static let completed = "Done"
    static let reopened = "Reopened"
    static let renamed = "Renamed"
    static let moved = "Moved"

    /// What a command has done to the items that it changed.
    static func word(for command: Items.Command) -> String {
        switch command {
        case .complete: completed
        case .reopen: reopened
        case .rename: renamed
        case .move, .step: moved
        default: "Changed"
        }
    }

    static let deleted = "Deleted"
    static let restored = "Restored"
    static let removed = "Removed"

    static func toDo(_ count: Int) -> String { "To do (\(count.formatted()))" }
    static func done(_ count: Int) -> String { "Done (\(count.formatted()))" }

    static func day(_ date: Date) -> String { date.formatted(date: .abbreviated, time: .omitted) }
}

// MARK: Rejected and failed commands

extension Texts {
    /// Why an accepted command had no effect, or nil if it had one.
    static func explain(emptiness outcome: Items.Outcome) -> String? {
        switch outcome {
        case .dropped: blankTitle
        case .undone(let reversal) where reversal.isEmpty: nothingLeftToUndo
        case .redone(let reversal) where reversal.isEmpty: nothingLeftToRedo
        default: nil
        }
    }

    /// An additional remark about a result, or nil for none.
    static func remark(on outcome: Items.Outcome) -> String? {
        switch outcome {
        case .undone(let reversal), .redone(let reversal): overtaken(reversal.overtaken)
        case .deleted(let items) where items.isEmpty: nothingToDelete
        default: nil
        }
    }

    private static func overtaken(_ count: Int) -> String? {
        switch count {
        case 0: nil
        case 1: "1 item stays as it is: it was changed since, or never saved."
        default: "\(count.formatted()) items stay as they are: they were changed since, or never saved."
        }
    }

    /// Why a command for the list was rejected or has failed.
    static func complaint(_ error: ItemsError, shortIDs: Items.ShortIDs = Items.ShortIDs(of: [])) -> Complaint {
        switch error {
        case .unknown(let text): Complaint("No item has an id that begins with “\(text.visible)”.", as: "unknown-item")
        case .tooShort(let text):
            Complaint(
                "“\(text.visible)” is neither a position nor an id: give at least"
                    + " \(Items.ShortIDs.shortest.formatted()) characters of an id.", as: "short-id")
        case .ambiguous(let text, let candidates):
            Complaint(
                ["“\(text.visible)” means any of \(candidates.count.formatted()) items:"]
                    + candidates.prefix(10).map { "  \(shortIDs[$0.id])  \($0.title.visible)" }
                    + (candidates.count > 10 ? ["  \(more(candidates.count - 10))"] : []),
                as: "ambiguous-item")
        case .completed(let item):
            Complaint(
                "“\(item.title.visible)” is completed. Reopen it first: items reopen \(shortIDs[item.id])",
                as: "item-completed")
        case .active(let item): Complaint("“\(item.title.visible)” isn't completed.", as: "item-active")
        case .noPosition(let position, 0):
            Complaint("There is no position \(position.formatted()): no item is left to do.", as: "no-position")
        case .noPosition(let position, let count):
            Complaint(
                "There is no position \(position.formatted()): they go from 1 to \(count.formatted()).",
                as: "no-position")
        case .nothingToUndo: Complaint("There is nothing to undo.", as: "nothing-to-undo")
        case .nothingToRedo: Complaint("There is nothing to redo.", as: "nothing-to-redo")
        case .notLoaded(let error), .notImported(let error): Complaint(error)
        case .notSaved(let error): Complaint(["The items could not be saved."] + explain(error), as: error.code)
        case .noHistory(let error):
            Complaint(["The history can't be read; the list is as it was."] + explain(error), as: error.code)
        }
    }

    static func explain(_ error: StorageError) -> [String] {
        ["\(error.place.visible): \(error.explanation.visible)", error.advice]
    }

    static func unsaved(_ error: StorageError) -> [String] {
        ["The change could not be saved."] + explain(error)
    }

    static func unrecorded(_ error: StorageError) -> [String] {
        ["The list is saved, but its history isn't: undo and redo don't know of this change."] + lasting(error)
    }

    static func setAside(_ former: Items.FormerHistory) -> [String] {
        [
            "The history can't be read: what was done before can't be undone any more. A new history has begun.",
            explain(former.cause)[0],
            "The former one is kept as \(former.file.visible).",
        ]
    }

    /// A failure of something that the user can't retry separately. The advice to try again is omitted, because it
    /// would be understood as advice about the whole command.
    static func lasting(_ error: StorageError) -> [String] {
        switch error.reason {
        case .diskFull, .locked, .cancelled, .system: [explain(error)[0]]
        default: explain(error)
        }
    }

    static func unexpected(_ error: any Error) -> String { "Something unexpected happened: \(error)".visible }
    static func unwritable(_ code: Int32) -> String { "Can't write the output: \(String(cString: strerror(code)))" }
}
