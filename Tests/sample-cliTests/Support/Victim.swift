import Foundation
import Testing

/// A program that saves an item, and may be killed while it does.
///
/// Another front end is another value: it starts its program, and knows by which line this says that an item is saved.
struct Victim: Sendable, CustomTestStringConvertible {
    /// What it is, for reports.
    let testDescription: String

    /// Starts the program, which is to save an item with a title in a data folder.
    let start: @Sendable (_ title: String, _ folder: String) throws -> RunningProgram

    /// Whether a line of its output says that the item is saved.
    let isAcknowledgement: @Sendable (_ line: String) -> Bool

    /// How many lines it writes on standard error on its way, one a step, at least about.
    let steps: Int

    /// A command, which logs every action.
    static let command = Victim(
        testDescription: "a command",
        start: { title, folder in
            try RunningProgram(["items", "add", title, "--json", "--verbose", "--data", folder])
        },
        isAcknowledgement: { $0.hasPrefix("{") },
        steps: 28
    )
}
