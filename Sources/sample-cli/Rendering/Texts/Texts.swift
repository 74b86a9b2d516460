import Foundation
import Relux
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
        case .noNumber(let word, let operand):
            "\(operand.name) has to be a whole number above 0, not “\(word.visible)”."
        case .noAddress(let word, let option):
            "--\(option.name) has to be the address of a server, such as http://localhost:8080, not “\(word.visible)”."
        case .noChoice(let word, let operand, let choices):
            "\(operand.name) has to be \(choices.joined(separator: " or ")), not “\(word.visible)”."
        case .unasked(let option): "Without a terminal there is no way to ask: pass --\(option.name) to confirm."
        case .noName(let error): error.description
        }
    }

    static func unwritten(_ file: String, _ error: any Error) -> String {
        "The trace could not be written to \(file.visible): \(reason(of: error).visible)"
    }

    static func unread(_ file: String, _ error: any Error) -> String {
        "\(file.visible) can't be read: \(reason(of: error).visible)"
    }

    /// The system's reason, if there is one: the text of Foundation often has only a number.
    private static func reason(of error: any Error) -> String {
        let system = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError
        return system.map { String(cString: strerror($0.code.rawValue)) } ?? error.localizedDescription
    }

    static func unreadable(argument number: Int) -> String {
        "The argument number \(number.formatted()) is not valid UTF-8 text."
    }

    static func seeHelp(_ path: [CommandSpec]) -> String { "See: \(path.map(\.name).joined(separator: " ")) --help" }
}

// MARK: Results

extension Texts {
    static let emptyList = "There is nothing on the list."
    static let nothingToDelete = ["There is nothing to delete."]

    static func toDo(_ count: Int) -> String { "To do (\(count.formatted()))" }
    static func done(_ count: Int) -> String { "Done (\(count.formatted()))" }

    static func title(_ section: Users.Listing.Section) -> String {
        "\(section.isOnline ? "Online" : "Offline") (\(section.rows.count.formatted()))"
    }

    static func reallyDelete(_ count: Int) -> String {
        count == 1 ? "Delete 1 item?" : "Delete \(count.formatted()) items?"
    }

    static func describe(_ profile: Profile) -> String {
        profile.name.map { "\($0.visible) is signed in." } ?? "Nobody is signed in."
    }

    static func value(_ cell: Settings.Table.Cell) -> String {
        switch cell.id {
        case .displayName, .listName: cell.value.isEmpty ? "(none)" : cell.value
        case .theme: cell.value
        case .profile: cell.value.isEmpty ? "(nobody)" : cell.value
        }
    }

    static func label(_ kind: Pets.Page.Field.Kind) -> String {
        switch kind {
        case .species: "Species"
        case .born: "Born"
        case .age: "Age"
        case .colour: "Colour"
        case .arrived: "Here since"
        case .phone: "Phone"
        case .about: "About"
        }
    }
}

// MARK: Refused and failed commands

extension Texts {
    static func explain(_ refused: Items.Refused) -> String {
        switch refused {
        case .blankTitle: "The title is blank."
        case .noItem(_, 0): emptyList
        case .noItem(let number, let count):
            "There is no item \(number.formatted()): they go from 1 to \(count.formatted())."
        case .gone: "The item isn't there any more."
        case .completed(let item): "“\(item.title.visible)” is completed. Reopen it first."
        case .active(let item): "“\(item.title.visible)” isn't completed."
        case .noPosition(let position, let count):
            "There is no position \(position.formatted()): they go from 1 to \(count.formatted())."
        }
    }

    static func noStep(_ name: String) -> [String] { ["There is nothing to \(name)."] }

    static func explain(_ failure: Relux.LoadFailure) -> [String] {
        let advice =
            switch failure {
            case .unavailable: "Check the folder and its permissions."
            case .damaged: "Nothing was overwritten. Move the file away to begin with nothing."
            case .newer: "Use the newer version of this program."
            }
        let text = "\(failure)".visible
        return [text.prefix(1).uppercased() + text.dropFirst(), advice]
    }

    static func unsaved(_ error: any Error) -> [String] { ["It could not be saved: \("\(error)".visible)"] }
    static func unexpected(_ error: any Error) -> [String] { ["Something unexpected happened: \("\(error)".visible)"] }

    static func unwritable(_ code: Int32) -> String { "Can't write the output: \(String(cString: strerror(code)))" }
}
