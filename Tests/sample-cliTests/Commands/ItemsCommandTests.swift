import Foundation
import SampleServices
import Testing

/// The real program with real files.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct ItemsCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ arguments: String...) async throws -> ChildProcess.Result {
        try await ChildProcess.run(["items"] + arguments + ["--data", folder.path])
    }

    private func add(_ title: String...) async throws -> ParsedJSON.Row {
        let result = try await ChildProcess.run(["items", "add"] + title + ["--json", "--data", folder.path])
        return try #require(try result.json.items.first)
    }

    private func titles() async throws -> [String] {
        try await run("list", "--json").json.items.map(\.title)
    }

    @Test func `a list is kept from one call to the next`() async throws {
        let milk = try await add("Buy", "milk")
        let home = try await add("Call home")

        let list = try await run("list")
        let json = try await run("list", "--json").json

        #expect(list.output == "To do (2)\n  1  \(milk.shortID)  Buy milk\n  2  \(home.shortID)  Call home\n")
        #expect(list.status == 0 && list.error == "")
        #expect(json.outcome == "listed")
        #expect(json.items.map(\.id) == [milk.id, home.id])
        #expect(json.items.map(\.order) == [1_000, 2_000])
    }

    @Test func `an empty list is neither data nor a failure`() async throws {
        let result = try await run("list")
        let json = try await run("list", "--json")

        #expect(result.status == 0 && result.output == "" && result.error == "There is nothing on the list.\n")
        #expect(json.output == "{\"items\":[],\"outcome\":\"listed\"}\n")
        #expect(try folder.names.isEmpty)
    }

    @Test func `items are added, moved, renamed, completed, reopened, and deleted`() async throws {
        let one = try await add("One")
        _ = try await add("Two")
        let top = try await run("add", "Top", "--top", "--json").json
        #expect(top.items.map(\.position) == [1])

        let moved = try await run("move", one.shortID, "3", "--json").json
        #expect(moved.outcome == "changed" && moved.items.map(\.position) == [3])
        let renamed = try await run("rename", one.id, "New", "title", "--json").json
        #expect(renamed.items.map(\.title) == ["New title"])
        let done = try await run("done", one.shortID, top.items[0].shortID, "--json").json
        #expect(done.items.map(\.position) == [nil, nil] && done.items.allSatisfy { $0.completed != nil })
        let reopened = try await run("reopen", one.shortID, "--json").json
        #expect(reopened.items.map(\.position) == [2] && reopened.items.allSatisfy { $0.completed == nil })
        let deleted = try await run("delete", top.items[0].shortID, "--json").json
        #expect(deleted.outcome == "deleted" && deleted.items.map(\.title) == ["Top"])
        #expect(try await titles() == ["Two", "New title"])
    }

    /// It used to delete the item, as it may in a script with an unset variable.
    @Test(arguments: ["", " \t"]) func `a blank new title is refused`(title: String) async throws {
        let one = try await add("One")

        let result = try await run("rename", one.shortID, title)

        #expect(result.status == 64 && result.error.hasPrefix("sample-cli: TITLE must not be blank.\n"))
        #expect(try await titles() == ["One"])
    }

    @Test func `a title may look like an option after two hyphens`() async throws {
        let result = try await ChildProcess.run(["items", "add", "--data", folder.path, "--", "--top", "-h"])

        #expect(result.status == 0)
        #expect(try await titles() == ["--top -h"])
    }

    @Test func `a title can't control the terminal`() async throws {
        let result = try await run("add", "a\u{1B}[2Jb\nc")

        #expect(result.output.hasSuffix("  a\\u{1B}[2Jb\\nc\n"))
        #expect(try await titles() == ["a\u{1B}[2Jb\nc"])
    }

    @Test func `a blank title is rejected`() async throws {
        let result = try await run("add", "  ")

        #expect(result == refusal("Nothing was added: the title is blank."))
    }

    @Test func `what the rules don't allow is rejected with the reason`() async throws {
        let one = try await add("One")
        _ = try await run("done", one.shortID)
        let reopenFirst = "“One” is completed. Reopen it first: items reopen \(one.shortID)"

        #expect(try await run("rename", one.shortID, "New") == refusal(reopenFirst))
        #expect(try await run("move", one.shortID, "1") == refusal(reopenFirst))
        #expect(try await run("done", one.shortID) == refusal(reopenFirst))
        #expect(try await run("delete", "wxyz") == refusal("No item has an id that begins with “wxyz”."))
        let tooShort = "“xyz” is neither a position nor an id: give at least 4 characters of an id."
        #expect(try await run("delete", "xyz") == refusal(tooShort))
        #expect(try await run("delete", "1") == refusal("There is no position 1: no item is left to do."))
        _ = try await run("reopen", one.shortID)
        #expect(try await run("reopen", one.shortID) == refusal("“One” isn't completed."))
        #expect(try await run("move", one.shortID, "7") == refusal("There is no position 7: they go from 1 to 1."))
    }

    @Test func `positions are those of the list`() async throws {
        for title in ["One", "Two", "Three"] { _ = try await add(title) }

        _ = try await run("done", "2")
        let deleted = try await run("delete", "2", "1")

        #expect(deleted.status == 0)
        #expect(try await run("list", "--json").json.items.map(\.title) == ["Two"])
    }

    @Test func `an ambiguous id is rejected with its candidates`() async throws {
        let service = FileItemsService(folder: folder.path)
        _ = try await service.save([.insert(.sample(1)), .insert(.sample(0x101))])

        let result = try await run("done", "0100")

        #expect(result == refusal("“0100” means any of 2 items:\n  010000  Item 1\n  010001  Item 257"))
    }

    @Test func `a damaged file is reported with its line, and is unchanged`() async throws {
        let text = "{\"format\":\"relux-items\",\"version\":1}\nhalf a li"
        try folder.write(text)

        for result in [try await run("list"), try await run("add", "New"), try await run("list", "--json")] {
            #expect(result.status == 1 && result.output == "")
            #expect(result.error.contains("\(folder.path)/items.jsonl:2: The line is damaged"))
            #expect(result.error.contains("left untouched"))
        }
        #expect(try folder.read() == text)
    }

    @Test func `what couldn't be saved is a failure`() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.path(of: "items.lock"), withIntermediateDirectories: true)

        let result = try await run("add", "New")

        #expect(result.status == 1 && result.output == "")
        #expect(result.error.hasPrefix("sample-cli: The change could not be saved.\n\(folder.path)/items.lock: "))
    }

    @Test func `the list is in the user's data folder by default`() async throws {
        let xdg = try await ChildProcess.run(
            ["items", "add", "A"], environment: ["XDG_DATA_HOME": folder.path(of: "xdg")])
        let home = try await ChildProcess.run(
            ["items", "add", "B"], environment: ["HOME": folder.path(of: "home"), "XDG_DATA_HOME": "relative"]
        )

        #expect(xdg.status == 0 && home.status == 0)
        #expect(try folder.read("xdg/relux-sample/items.jsonl").contains("\"A\""))
        #expect(try folder.read("home/.local/share/relux-sample/items.jsonl").contains("\"B\""))
    }

    @Test func `verbose logs every action on standard error, and doesn't affect the data`() async throws {
        _ = try await add("One")

        let result = try await run("list", "--json", "--verbose")

        #expect(try result.json.items.map(\.title) == ["One"])
        #expect(result.error.contains("Items.Effect load"))
        #expect(result.error.contains("Items.State.Action loaded"))
    }

    private func refusal(_ text: String) -> ChildProcess.Result {
        ChildProcess.Result(status: 1, error: "sample-cli: \(text)\n")
    }
}
