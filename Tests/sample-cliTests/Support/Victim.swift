import Foundation
import Testing

/// A program that saves an item, and is killed while it does.
///
/// Another front end is another value: it starts its program, lets it come so far, kills it, and knows what had been
/// promised by then.
struct Victim: Sendable, CustomTestStringConvertible {
    /// How one of them went.
    struct Outcome: Sendable {
        /// How it ended.
        let ending: ChildProcess.Result

        /// Whether it had said that the item is saved.
        var isAdded = false

        /// Whether it had said that the item is saved as completed.
        var isCompleted = false
    }

    /// What it is, for reports.
    let testDescription: String

    /// About how far it comes if nobody kills it, in steps of its own.
    let steps: Int

    /// Starts the program, which is to save an item with a title in a data folder, and kills it.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - folder: The data folder.
    ///   - steps: After how many steps.
    ///   - delay: Returns at the moment of the kill. It is awaited after these steps.
    /// - Returns: How it went.
    /// - Throws: Why it could not be started, or what it did not do.
    let run:
        @Sendable (
            _ title: String, _ folder: String, _ steps: Int, _ delay: () async -> Void
        ) async throws -> Outcome
}

extension Victim {
    /// A command, which logs every action. A step is a line on standard error.
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

    /// The full-screen interface, in which the item is added and then completed by keys. A step is a byte that it
    /// writes: some 1,100 if nobody else does anything. Where it has done everything before its last step, it is
    /// killed then.
    static let screen = Victim(testDescription: "the screen", steps: 2_000) { title, folder, steps, delay in
        let session = try TerminalSession(["tui", "--data", folder], rows: 12)
        // Its own item alone is to be seen, whatever the others add.
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
    /// Whether a row of the list has an item with its box, and no star that says that it isn't saved.
    ///
    /// A picture may be there by halves, and remain so: a row is written from left to right, so while the cursor stands
    /// in it before the place of the star there may still come one.
    fileprivate func shows(_ item: String) -> Bool {
        lines.enumerated().contains { row, line in
            let end = 2 + item.count
            guard line.dropFirst(2).hasPrefix(item), !line.dropFirst(end).hasPrefix(" *") else { return false }
            return cursor.row != row || cursor.column >= end + 2
        }
    }
}
