import Foundation
import Testing

/// A program that saves an item and is killed during that.
///
/// Each kind of front end is a value of this type. It starts its program, lets it run for a number of steps, kills it,
/// and knows what the program had promised by then.
struct Victim: Sendable, CustomTestStringConvertible {
    /// The result of a victim.
    struct Outcome: Sendable {
        /// How the program ended.
        let ending: ChildProcess.Result

        /// Whether the program had reported the item as saved.
        var isAdded = false

        /// Whether the program had reported the item as saved and completed.
        var isCompleted = false
    }

    /// The name in reports.
    let testDescription: String

    /// The approximate number of steps that the program makes if it isn't killed.
    let steps: Int

    /// Starts the program, which saves an item with a title in a data folder, and kills it.
    ///
    /// - Parameters:
    ///   - steps: The number of steps before the kill.
    ///   - delay: Awaited after these steps. It returns at the moment of the kill.
    /// - Throws: If the program can't be started, or doesn't do what it must.
    let run:
        @Sendable (
            _ title: String, _ folder: String, _ steps: Int, _ delay: () async -> Void
        ) async throws -> Outcome
}

extension Victim {
    /// A command that logs every action. A step is a line on standard error.
    static let command = Victim(testDescription: "a command", steps: 28) { title, folder, steps, delay in
        let program = try RunningProgram(["items", "add", title, "--json", "--verbose", "--data", folder])
        var errors = program.errors.makeAsyncIterator()
        for _ in 0..<steps where await errors.next() == nil { break }
        await delay()
        program.interrupt(with: SIGKILL)
        var outcome = Outcome(ending: await program.end())
        for await line in program.output where line.hasPrefix("{") { outcome.isAdded = true }
        return outcome
    }

    /// The full-screen interface, in which keys add the item and then complete it. A step is one byte of output. There
    /// are about 3,500 if nobody else does anything. If the program finishes before the last step, it is killed then.
    static let screen = Victim(testDescription: "the screen", steps: 6_000) { title, folder, steps, delay in
        let session = try TerminalSession(["tui", "--data", folder], rows: 12)
        // Only its own item is displayed, whatever the others add.
        let acts: [(keys: String, whatFollows: @Sendable (TerminalEmulator) -> Bool)] = [
            ("", { $0.text.contains("To do (") }),
            ("/\(title)\rA\(title)\r", { $0.text.contains(", filtered") && $0.shows("[ ] \(title)") }),
            (" ", { $0.shows("[x] \(title)") }),
        ]
        var isAdded = false
        for (keys, whatFollows) in acts {
            try session.type(keys)
            let seen = try await session.see("what follows “\(keys)”") { $0.byteCount >= steps || whatFollows($0) }
            isAdded = isAdded || seen.shows("[ ] \(title)")
            if seen.byteCount >= steps { break }
        }
        await delay()
        session.send(SIGKILL)
        let ending = await session.end()
        let last = session.screen
        let isCompleted = last.shows("[x] \(title)")
        isAdded = isAdded || isCompleted || last.shows("[ ] \(title)")
        return Outcome(ending: ending, isAdded: isAdded, isCompleted: isCompleted)
    }
}

extension TerminalEmulator {
    /// Whether a row of the list contains an item with its checkbox, and no asterisk that marks it as unsaved.
    ///
    /// A picture may be partial and stay so. A row is written from left to right, so while the cursor is in the row
    /// before the position of the asterisk, the asterisk may still appear.
    fileprivate func shows(_ item: String) -> Bool {
        lines.enumerated().contains { row, line in
            let end = 2 + item.count
            guard line.dropFirst(2).hasPrefix(item), !line.dropFirst(end).hasPrefix(" *") else { return false }
            return cursor.row != row || cursor.column >= end + 2
        }
    }
}
