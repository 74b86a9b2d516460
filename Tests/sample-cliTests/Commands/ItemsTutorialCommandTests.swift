import Foundation
import SampleServices
import Testing

/// The items that explain the program, with the real program.
@Suite(.runsPrograms, .timeLimit(.minutes(5))) struct ItemsTutorialCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @discardableResult
    private func run(_ arguments: String...) async throws -> ChildProcess.Result {
        try await ChildProcess.run(arguments + ["--data", folder.path])
    }

    /// Shows the list on a terminal.
    private func look() async throws -> (ChildProcess.Result, text: String) {
        let terminal = try PseudoTerminal()
        let result = try await ChildProcess.run(
            ["items", "list", "--data", folder.path], environment: ["NO_COLOR": "1"], output: terminal.handle)
        return (result, terminal.read())
    }

    private func count() async throws -> Int { try await run("items", "list", "--json").json.items.count }

    @Test func `the first look at a new list shows them, and no later one`() async throws {
        let (result, first) = try await look()
        let (_, second) = try await look()
        try await run("items", "delete-all", "--yes")
        let (_, third) = try await look()

        #expect(result == ChildProcess.Result(status: 0))
        #expect(first.hasPrefix("To do (4)\r\n  1  1f57  Welcome! "))
        #expect(second == first && third == "")
        #expect(try await count() == 0)
    }

    @Test func `scripts never get them`() async throws {
        let list = try await run("items", "list", "--json")
        let plain = try await run("items", "list")
        try await run("items", "add", "X")

        #expect(list.output == "{\"items\":[],\"outcome\":\"listed\"}\n")
        #expect(plain.error == "There is nothing on the list.\n")
        #expect(try await run("items", "list", "--json").json.items.map(\.title) == ["X"])
        #expect(try folder.names == ["items-history.jsonl", "items.jsonl", "items.lock"])
    }

    @Test func `each profile gets them once`() async throws {
        _ = try await look()
        try await run("session", "login", "Ada")
        let before = try await count()
        _ = try await look()

        #expect(before == 0)
        #expect(try await count() == 4)
        #expect(try folder.names(in: "profiles/Ada").contains("tutorial.json"))
    }

    @Test func `they can be added again, immediately or at the next look`() async throws {
        _ = try await look()
        try await run("items", "delete-all", "--yes")

        let given = try await run("items", "tutorial", "--json")
        let nothing = try await run("items", "tutorial")
        try await run("items", "delete-all", "--yes")
        let reset = try await run("items", "tutorial", "--reset")
        let before = try await count()
        let (_, text) = try await look()

        #expect(try given.json.outcome == "added" && given.json.items.count == 4)
        #expect(
            nothing
                == ChildProcess.Result(
                    status: 0, error: "All items that explain the program are on the list already.\n"))
        #expect(
            reset.output
                == "The items that explain the program appear at the next look at the list on a terminal.\n")
        #expect(before == 0 && text.hasPrefix("To do (4)\r\n"))
    }

    @Test func `a damaged memory is reported, and the list is shown`() async throws {
        try await run("items", "add", "X")
        try folder.write("broken", to: "tutorial.json")

        let (result, text) = try await look()
        let tutorial = try await run("items", "tutorial")

        #expect(result.status == 0 && text.contains("X\r\n"))
        #expect(result.error.contains("\(folder.path)/tutorial.json: The file is damaged"))
        #expect(tutorial.status == 1 && tutorial.error.contains("tutorial.json: The file is damaged"))
        #expect(try folder.read("tutorial.json") == "broken")
    }

    @Test func `of many concurrent first looks, only one finds a new list`() async throws {
        let path = folder.path

        try await withThrowingTaskGroup { group in
            for _ in 0..<6 {
                group.addTask {
                    let terminal = try PseudoTerminal()
                    return try await ChildProcess.run(["items", "list", "--data", path], output: terminal.handle)
                }
            }
            for try await result in group { #expect(result == ChildProcess.Result(status: 0)) }
        }

        #expect(try await count() == 4)
    }
}
