import Foundation
import SampleServices
import Testing

/// Undo and redo across invocations of the real program.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct ItemsUndoCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @discardableResult
    private func run(_ arguments: String...) async throws -> ChildProcess.Result {
        try await ChildProcess.run(["items"] + arguments + ["--data", folder.path])
    }

    private func add(_ title: String) async throws -> ParsedJSON.Row {
        try #require(try await run("add", title, "--json").json.items.first)
    }

    private func titles() async throws -> [String] {
        try await run("list", "--json").json.items.map(\.title)
    }

    private func refusal(_ lines: String...) -> ChildProcess.Result {
        ChildProcess.Result(status: 1, error: "sample-cli: \(lines.joined(separator: "\n"))\n")
    }

    @Test func `every command that changes the list can be undone and redone by later invocations`() async throws {
        let one = try await add("One")
        let two = try await add("Two")
        try await run("move", one.shortID, "2")
        try await run("rename", two.shortID, "Second")
        try await run("done", one.shortID)
        try await run("reopen", one.shortID)
        try await run("delete", one.shortID, two.shortID)
        let after: [[String]] = [
            ["One"], ["One", "Two"], ["Two", "One"], ["Second", "One"], ["Second", "One"], ["Second", "One"], [],
        ]

        for expected in after.dropLast().reversed() + [[]] {
            #expect(try await run("undo").status == 0)
            #expect(try await titles() == expected)
        }
        for expected in after {
            #expect(try await run("redo").status == 0)
            #expect(try await titles() == expected)
        }
        #expect(try await run("redo") == refusal("There is nothing to redo."))
    }

    @Test func `it reports the result item by item`() async throws {
        let one = try await add("One")
        let row = "  \(one.shortID)  One\n"

        #expect(try await run("undo").output == "Removed" + row)
        #expect(try await run("redo").output == "Restored" + row)
        try await run("rename", one.shortID, "Other")
        #expect(try await run("undo").output == "Renamed" + row)
        try await run("done", one.shortID)
        #expect(try await run("undo").output == "Reopened" + row)
        #expect(try await run("redo").output == "Done" + row)
        try await run("undo")
        let two = try await add("Two")
        try await run("move", two.shortID, "1")
        #expect(try await run("undo").output == "Moved  \(two.shortID)  Two\n")
        try await run("undo")
        try await run("rename", one.shortID, "Other")
        try await run("undo")
        let json = try await run("redo", "--json").json
        #expect(json.outcome == "redone" && json.items.map(\.title) == ["Other"] && json.items[0].position == 1)
        try await run("undo")
        let gone = try await run("undo", "--json").json
        #expect(gone.outcome == "undone" && gone.items.map(\.id) == [one.id] && gone.items[0].position == nil)
    }

    @Test func `having nothing to undo or redo is a failure`() async throws {
        #expect(try await run("undo") == refusal("There is nothing to undo."))
        let error = #"{"code":"nothing-to-redo","message":"There is nothing to redo."}"# + "\n"
        #expect(try await run("redo", "--json") == ChildProcess.Result(status: 1, error: error))
        _ = try await add("One")
        try await run("undo")
        _ = try await add("Two")

        #expect(try await run("redo") == refusal("There is nothing to redo."))
    }

    @Test func `what was changed by other means is preserved and reported`() async throws {
        let (one, two) = (try await add("One"), try await add("Two"))
        try await run("done", one.shortID, two.shortID)
        let service = FileItemsService(folder: folder.path)
        let items = try await service.load().value
        let reopened = items.filter { $0.title == "One" }.map { item in
            var reopened = item
            reopened.completed = nil
            return ItemChange.update(from: item, to: reopened)
        }
        _ = try await service.save(reopened)
        try await run("rename", one.shortID, "Three")
        try folder.write(try folder.read().replacing("Three", with: "Theirs"))

        let renamed = try await run("undo")
        let done = try await run("undo")

        #expect(
            renamed
                == refusal(
                    "Nothing was undone: everything was changed since, or never saved. The step is off the history now."
                )
        )
        #expect(done.output == "Reopened  \(two.shortID)  Two\n" && done.status == 0)
        #expect(done.error == "1 item stays as it is: it was changed since, or never saved.\n")
        #expect(try await titles() == ["Theirs", "Two"])
    }

    @Test func `a damaged history is reported and kept, and the next change begins a new one`() async throws {
        _ = try await add("One")
        let text = "{\"format\":\"relux-items-history\",\"version\":1}\nhalf a st"
        try folder.write(text, to: "items-history.jsonl")
        let place = "\(folder.path)/items-history.jsonl:2: The line is damaged: it is not the JSON of a step."
        let advice = "The file has been left untouched: mend or remove that line in a text editor, or put back a copy."

        let undo = try await run("undo")
        let added = try await run("add", "Two")

        #expect(undo == refusal("The history can't be read; the list is as it was.", place, advice))
        #expect(added.status == 0 && added.output.hasSuffix("  Two\n"))
        let warning =
            "The history can't be read: what was done before can't be undone any more. A new history has begun."
        let kept = "The former one is kept as \(folder.path)/items-history-unreadable.jsonl."
        #expect(added.error == refusal(warning, place, kept).error)
        #expect(try await titles() == ["One", "Two"])
        #expect(try folder.read("items-history-unreadable.jsonl") == text)
        _ = try await run("undo")
        #expect(try await titles() == ["One"])
        #expect(try await run("undo").status == 1)
        #expect(try await titles() == ["One"])
    }

    @Test func `two terminals that change and undo concurrently leave a valid list and history`() async throws {
        let path = folder.path

        try await withThrowingTaskGroup { group in
            for terminal in ["A", "B"] {
                group.addTask {
                    for number in 1...10 {
                        for arguments in [["add", "\(terminal)\(number)"], ["undo"], ["redo"]] {
                            let result = try await ChildProcess.run(["items"] + arguments + ["--data", path])
                            // The other terminal may have undone the step or added a new one in the meantime.
                            #expect(result.status == 0 || (result.status == 1 && arguments.count == 1))
                            #expect(!result.error.contains("damaged") && !result.wasEndedBySignal)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }

        let items = try await FileItemsService(folder: path).load().value
        let history = try await FileItemsHistoryService(folder: path).load().value
        #expect(Set(items.map(\.title)).count == items.count)
        #expect(history.done.count + history.undone.count <= 20)
        #expect(try folder.names == ["items-history.jsonl", "items.jsonl", "items.lock"])
    }
}
