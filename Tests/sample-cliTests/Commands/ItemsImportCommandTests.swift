import Foundation
import SampleServices
import Testing

/// Importing titles with the real program.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct ItemsImportCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @discardableResult
    private func run(_ arguments: String..., input: FileHandle? = nil) async throws -> ChildProcess.Result {
        try await ChildProcess.run(["items"] + arguments + ["--data", folder.path(of: "data")], input: input)
    }

    private func file(_ text: String) throws -> String {
        try folder.write(text, to: "titles.txt")
        return folder.path(of: "titles.txt")
    }

    private func items() async throws -> [Item] {
        try await FileItemsService(folder: folder.path(of: "data")).load().value
    }

    private func lines(_ count: Int) -> String { (1...count).map { "Title \($0)\n" }.joined() }

    @Test func `every line of a file is an item, and one undo removes them`() async throws {
        try await run("add", "First")
        let file = try file("\u{FEFF}One\r\n\r\n  Two  \nThree")

        let result = try await run("import", file)

        #expect(result == ChildProcess.Result(status: 0, output: "Imported 3 items, skipped 1 blank line.\n"))
        #expect(try await items().map(\.title) == ["First", "One", "Two", "Three"])
        #expect(try await run("undo").status == 0)
        #expect(try await items().map(\.title) == ["First"])
    }

    @Test func `standard input is a text, too, and scripts get numbers`() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("One\n\n".utf8))
        try pipe.fileHandleForWriting.close()

        let result = try await run("import", "-", "--json", input: pipe.fileHandleForReading)

        #expect(
            result == ChildProcess.Result(status: 0, output: "{\"added\":1,\"blank\":1,\"outcome\":\"imported\"}\n"))
    }

    @Test func `a text that can't be read is reported, and changes nothing`() async throws {
        let missing = folder.path(of: "missing.txt")

        #expect(
            try await run("import", missing)
                == refusal("\(missing): There is no such file.", "Check the path.", "Nothing was imported."))
        #expect(
            try await run("import", folder.path)
                == refusal(
                    "\(folder.path): A file should be here, but this is something else.",
                    "Move it away, or choose another path.", "Nothing was imported."))
        #expect(try folder.names.isEmpty)
    }

    @Test func `everything before a damaged line is imported, and one undo removes it`() async throws {
        let path = folder.path(of: "bad.txt")
        try Data(Array(lines(1_500).utf8) + [0xC3, 0x28, 0x0A] + Array("After\n".utf8)).write(to: URL(filePath: path))

        let result = try await run("import", path)

        #expect(
            result
                == refusal(
                    "\(path):1501: The line is not valid UTF-8 text.",
                    "The file has been left untouched: save it as UTF-8, or remove that line.",
                    "Imported 1,500 items before; items undo removes them."
                )
        )
        #expect(try await items().count == 1_500)
        try await run("undo")
        #expect(try await items().isEmpty)
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func `an interrupted import keeps what is saved, and reports how much that is`(
        signal: Int32, status: Int32
    ) async throws {
        // More than is read at once, without an end.
        let pipe = Pipe()
        let text = Data(lines(2_500).utf8)
        Thread.detachNewThread { try? pipe.fileHandleForWriting.write(contentsOf: text) }

        let result = try await ChildProcess.run(
            ["items", "import", "-", "--json", "--verbose", "--data", folder.path(of: "data")],
            input: pipe.fileHandleForReading,
            interruption: ChildProcess.Interruption(signal: signal, marker: "importSaved")
        )

        let saved = try await items().count
        #expect(result.status == status && !result.wasEndedBySignal && result.output == "")
        #expect([1_000, 2_000].contains(saved))
        let told = "Interrupted. Imported \(saved.formatted()) items before; items undo removes them."
        #expect(result.error.contains("{\"code\":\"interrupted\",\"message\":\"\(told)\"}\n"))
        #expect(try folder.names(in: "data") == ["items-history.jsonl", "items.jsonl", "items.lock"])
        try await run("undo")
        #expect(try await items().isEmpty)
        withExtendedLifetime(pipe) {}
    }

    /// The step used to be recorded at the end. The next undo then removed “First”, and left the imported items.
    @Test func `an import that is killed can be undone`() async throws {
        try await run("add", "First")
        let pipe = Pipe()
        let text = Data(lines(2_500).utf8)
        Thread.detachNewThread { try? pipe.fileHandleForWriting.write(contentsOf: text) }

        let result = try await ChildProcess.run(
            ["items", "import", "-", "--verbose", "--data", folder.path(of: "data")],
            input: pipe.fileHandleForReading,
            interruption: ChildProcess.Interruption(signal: SIGKILL, marker: "importSaved")
        )

        let saved = try await items().count
        let undone = try await run("undo")
        #expect(result.wasEndedBySignal && saved > 1_000)
        #expect(undone.status == 0)
        #expect(try await items().map(\.title) == ["First"])
        withExtendedLifetime(pipe) {}
    }

    @Test func `a failed save is reported`() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.path(of: "data/items.lock"), withIntermediateDirectories: true)

        let result = try await run("import", try file(lines(3)))

        #expect(result.status == 1 && result.output == "")
        #expect(result.error.hasPrefix("sample-cli: The items could not be saved.\n"))
        #expect(result.error.hasSuffix("\nNothing was imported.\n"))
    }

    private func refusal(_ lines: String...) -> ChildProcess.Result {
        ChildProcess.Result(status: 1, error: "sample-cli: \(lines.joined(separator: "\n"))\n")
    }
}
