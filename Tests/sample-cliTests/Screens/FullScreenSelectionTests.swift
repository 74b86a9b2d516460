import Foundation
import Testing

/// Selecting, and changing many items at once, as a user does: the real program in a real terminal.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct FullScreenSelectionTests {
    private static let shiftDown = "\u{1B}[1;2B"
    private static let escape = "\u{1B}"

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The program with a list of titles and the cursor on the first one.
    private func start(_ titles: String...) async throws -> TerminalSession {
        for title in titles {
            let result = try await ChildProcess.run(["items", "add", title, "--data", folder.path])
            #expect(result.status == 0)
        }
        let session = try TerminalSession(["tui", "--data", folder.path], environment: ["NO_COLOR": "1"])
        try await session.see("To do (\(titles.count))\n> [ ] \(titles[0])")
        return session
    }

    private func titles() async throws -> [String] {
        try await ChildProcess.run(["items", "list", "--json", "--data", folder.path]).json.items.map(\.title)
    }

    @Test func `a range is completed in one step, and one undo reverts it`() async throws {
        let session = try await start("Milk", "Tea", "Rye")

        try session.type(Self.shiftDown)
        let selected = try await session.see(" +[ ] Milk\n>+[ ] Tea\n  [ ] Rye")
        try session.type(" ")
        try await session.see("To do (1)\n  [ ] Rye\nDone (2)")
        try session.type("u")
        let undone = try await session.see("To do (3)\n +[ ] Milk\n>+[ ] Tea\n  [ ] Rye")
        try session.type(Self.escape)
        try await session.see("To do (3)\n  [ ] Milk\n> [ ] Tea\n  [ ] Rye")

        #expect(selected.lines.last?.hasPrefix("2 selected  Space done") == true)
        #expect(selected.looks.isSuperset(of: ["0;1", "0;1;7"]), "bold, and inverse under the cursor")
        #expect(undone.unknown.isEmpty)
    }

    @Test func `toggled items are deleted after a question, whatever is between them`() async throws {
        let session = try await start("Milk", "Tea", "Rye")

        try session.type("xjjx")
        try await session.see(" +[ ] Milk\n  [ ] Tea\n>+[ ] Rye")
        try session.type("d")
        try await session.see("Delete the 2 selected items? y/n")
        try session.type("n")
        try await session.see("2 selected")
        try session.type("dy")
        try await session.see("To do (1)\n> [ ] Tea")
        try session.type("u")
        try await session.see("To do (3)\n  [ ] Milk\n> [ ] Tea\n  [ ] Rye")
        try session.type("q")

        #expect(await session.end() == ChildProcess.Result(status: 0))
        #expect(try await titles() == ["Milk", "Tea", "Rye"])
    }

    @Test func `completed items are cleared after a yes, all are deleted after another, and both can be undone`()
        async throws
    {
        let session = try await start("Milk", "Tea", "Rye")
        try session.type(Self.shiftDown)
        try await session.see(" +[ ] Milk\n>+[ ] Tea")
        try session.type(" " + Self.escape)
        try await session.see("two completed items, and none selected") { screen in
            screen.text.contains("Done (2)") && !screen.text.contains("+[x]")
        }

        try session.type("C")
        try await session.see("Delete all 2 completed items? y/n")
        try session.type("n")
        let kept = try await session.see(no: "y/n")
        try session.type("Cy")
        try await session.see("one item, and nothing done") { screen in
            screen.text.contains("To do (1)\n> [ ] Rye") && !screen.text.contains("Done (")
        }
        try session.type("C")
        try await session.see("There is nothing to delete.")
        try session.type("u")
        try await session.see("Done (2)")
        try session.type("D")
        try await session.see("Delete all 3 items? y/n")
        try session.type("y")
        try await session.see("There is nothing on the list")
        try session.type("u")
        try await session.see("To do (1)\n")

        #expect(kept.text.contains("Done (2)"))
    }

    @Test func `items hidden by a filter are deselected, and nothing is done to them`() async throws {
        let session = try await start("Milk", "Tea", "Milk tea")
        try session.type(Self.shiftDown + Self.shiftDown)
        try await session.see(" +[ ] Milk\n +[ ] Tea\n>+[ ] Milk tea")

        try session.type("/milk\r")
        try await session.see("To do (2), filtered\n +[ ] Milk\n>+[ ] Milk tea")
        try session.type("D")
        try await session.see("Delete all 3 items, 1 of them not shown now? y/n")
        try session.type("n ")
        try await session.see("Done (2), filtered")
        try session.type(Self.escape)
        try await session.see(no: "+[x]")
        try session.type(Self.escape)

        try await session.see("To do (1)\n  [ ] Tea\nDone (2)\n")
    }
}
