import Foundation
import SampleServices
import Testing

/// Deleting many items at once with the real program.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct ItemsSweepCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @discardableResult
    private func run(_ arguments: String...) async throws -> ChildProcess.Result {
        try await ChildProcess.run(["items"] + arguments + ["--data", folder.path])
    }

    /// Runs a command on a terminal in which an answer has already been typed.
    private func run(_ command: String, answer: String) async throws -> (ChildProcess.Result, error: String) {
        let terminal = try PseudoTerminal()
        try terminal.type(answer)
        let result = try await ChildProcess.run(
            ["items", command, "--data", folder.path],
            environment: ["NO_COLOR": "1"], input: terminal.handle, errorOutput: terminal.handle
        )
        return (result, terminal.read())
    }

    private func fill() async throws {
        let service = FileItemsService(folder: folder.path)
        _ = try await service.save([.insert(.sample(1)), .insert(.sample(2, completed: 1)), .insert(.sample(3))])
    }

    private func titles() async throws -> [String] {
        try await run("list", "--json").json.items.map(\.title)
    }

    @Test(arguments: ["y\n", "Yes\n"]) func `a yes deletes`(answer: String) async throws {
        try await fill()

        let (result, error) = try await run("delete-all", answer: answer)

        #expect(result.status == 0)
        #expect(result.output == "Deleted  0100  Item 1\nDeleted  0300  Item 3\nDeleted  0200  Item 2\n")
        #expect(error.contains("Delete all 3 items? [y/N] "))
        #expect(try await titles() == [])
        try await run("undo")
        #expect(try await titles() == ["Item 1", "Item 3", "Item 2"])
    }

    @Test(arguments: ["\n", "n\n", "no\n", "a\ny\n", "\u{4}"])
    func `anything else, including the end of the input, deletes nothing`(answer: String) async throws {
        try await fill()

        let (result, error) = try await run("clear", answer: answer)

        #expect(result.status == 1 && result.output == "")
        #expect(error.contains("Delete the completed item? [y/N] "))
        #expect(error.hasSuffix("Nothing was deleted.\r\n"))
        #expect(try await titles() == ["Item 1", "Item 3", "Item 2"])
    }

    @Test func `if there is nothing to delete, no question is asked`() async throws {
        let (result, error) = try await run("clear", answer: "")

        #expect(result == ChildProcess.Result(status: 0))
        #expect(error.hasSuffix("There is nothing to delete.\r\n") && !error.contains("[y/N]"))
    }

    @Test(arguments: [("clear", ["Item 2", "Item 3", "New"]), ("delete-all", ["New"])])
    func `what others change during the question is preserved`(command: String, left: [String]) async throws {
        try await fill()
        try await run("done", "0100")
        let session = try TerminalSession(["items", command, "--data", folder.path])
        try await session.see("items? [y/N]")

        try await run("add", "New")
        try await run("reopen", "0200")
        try session.type("y\n")

        #expect(await session.end().status == 0)
        #expect(try await titles() == left)
    }

    @Test(arguments: ["clear", "delete-all"])
    func `without a terminal no question can be asked, and nothing is changed`(command: String) async throws {
        let result = try await run(command)

        #expect(result.status == 64 && result.output == "")
        #expect(
            result.error == """
                sample-cli: Without a terminal there is no way to ask: pass --yes to confirm.
                Usage: sample-cli items \(command) [OPTION]…
                See: sample-cli items \(command) --help

                """
        )
        #expect(try folder.names.isEmpty)
    }

    @Test func `scripts confirm in advance`() async throws {
        try await fill()

        let cleared = try await run("clear", "--yes", "--json")
        let all = try await run("delete-all", "-y", "--json")
        let nothing = try await run("delete-all", "--yes", "--json")

        #expect(try cleared.json.outcome == "deleted" && cleared.json.items.map(\.title) == ["Item 2"])
        #expect(try all.json.items.map(\.title) == ["Item 1", "Item 3"])
        #expect(nothing.status == 0 && nothing.output == "{\"items\":[],\"outcome\":\"deleted\"}\n")
        #expect(try await run("undo").output == "Restored  0100  Item 1\nRestored  0300  Item 3\n")
        #expect(try await run("undo").output == "Restored  0200  Item 2\n")
    }

    @Test func `of many items, people see only the first, and scripts all`() async throws {
        let service = FileItemsService(folder: folder.path)
        _ = try await service.save((1...25).map { .insert(.sample($0)) })

        let people = try await run("delete-all", "--yes")
        let scripts = try await run("undo", "--json")

        #expect(people.output.split(separator: "\n").count == 21)
        #expect(people.output.hasSuffix("Item 20\nDeleted  … and 5 more\n"))
        #expect(try scripts.json.items.count == 25)
    }

    @Test func `there is no question about a list that can't be read`() async throws {
        try folder.write("broken")

        let (result, error) = try await run("delete-all", answer: "y\n")

        #expect(result.status == 1 && !error.contains("[y/N]"))
        #expect(error.contains("items.jsonl:1"))
        #expect(try folder.read() == "broken")
    }
}
