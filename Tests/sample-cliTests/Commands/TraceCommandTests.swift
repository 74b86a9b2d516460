import Foundation
import Testing

/// The real program with real files: what it records, and what it says about that.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct TraceCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var file: String { folder.path(of: "trace.jsonl") }

    private func run(_ arguments: String...) async throws -> ChildProcess.Result {
        try await ChildProcess.run(arguments)
    }

    /// Adds an item, and records it.
    private func record() async throws {
        let result = try await run("items", "add", "Milk", "--data", folder.path(of: "data"), "--trace", file)
        #expect(result.status == 0 && result.error == "")
    }

    @Test func `a recorded command can be shown, as lines, as a page, and as trace events`() async throws {
        try await record()

        let lines = try await run("trace", "show", file)
        let page = try await run("trace", "html", file)
        let events = try await run("trace", "perfetto", file)

        #expect([lines, page, events].allSatisfy { $0.status == 0 && $0.error == "" })
        #expect(lines.output.contains("Items.Command.add(title: \"Milk\""))
        #expect(page.output.hasPrefix("<!DOCTYPE html>") && page.output.contains("<title>sample-cli items add</title>"))
        #expect(try JSONSerialization.jsonObject(with: Data(events.output.utf8)) is [String: Any])
    }

    @Test func `why names the line of the program at which a change began`() async throws {
        try await record()

        let why = try await run("trace", "why", file, "Items.State.list.active")

        #expect(why.status == 0)
        #expect(why.output.hasPrefix("Items.State.list.active changed from [] to [Item("))
        #expect(why.output.contains("  for #3 Items.Command.add(title: \"Milk\""))
        #expect(why.output.contains("which began at sample_cli/ItemsRunner.swift:"))
    }

    @Test func `files that are no traces, or of another version, are refused`() async throws {
        try await record()
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacingOccurrences(of: "\"load\",\"save\"]", with: "\"load\",\"store\"]")
            .write(toFile: file, atomically: true, encoding: .utf8)

        let other = try await run("trace", "show", file)
        let missing = try await run("trace", "show", folder.path(of: "missing"))
        let unwritable = try await run(
            "items", "list", "--data", folder.path(of: "data"), "--trace", folder.path(of: "missing/file"))

        #expect(other.status == 1 && other.error.contains("Items.Effect.store doesn't exist here."))
        #expect(missing.status == 1 && missing.error.contains("missing can't be read"))
        #expect(unwritable.status == 1 && unwritable.error.contains("The trace could not be written to "))
    }

    @Test func `the map lists modules, as text and as a chart`() async throws {
        let map = try await run("map", "--data", folder.path(of: "data"))
        let chart = try await run("map", "--mermaid", "--data", folder.path(of: "data"))

        #expect(map.status == 0 && map.output.contains("Items.Module\n  owns Items.State\n"))
        #expect(chart.status == 0 && chart.output.hasPrefix("flowchart LR\n"))
    }
}
