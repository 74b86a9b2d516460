import Foundation
import Testing

/// The tour in Docs/Sample.md, verbatim: what is shown is what the programs write.
///
/// The blocks of the section form one story. A console block contains commands with their output. A text block is the
/// content of the full-screen terminal at that moment. Ids, dates, and the spacing that depends on them differ in each
/// run.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct TourTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `the tour in the guide shows what really happens`() async throws {
        let blocks = try Self.blocks()
        var session: TerminalSession?
        // The keys that the user presses before the next picture.
        var keys = ["", " ", ""][...]

        for block in blocks {
            if block.kind == "console" {
                for command in block.commands where command.arguments != ["tui"] {
                    let result = try await ChildProcess.run(command.arguments + ["--data", folder.path])
                    #expect(result.status == 0 && result.error.isEmpty)
                    #expect(Self.masked(result.output.split(separator: "\n").map(String.init)) == command.output)
                }
            } else {
                let opened = try session ?? open(rows: block.lines.count)
                session = opened
                if let typed = keys.popFirst() { try opened.type(typed) }
                let expected = Self.masked(block.lines)
                let seen = try await opened.see("what the guide shows") { Self.masked($0.lines) == expected }
                #expect(seen.unknown.isEmpty)
            }
        }
        try session?.type("q")
        #expect(await session?.end() == ChildProcess.Result(status: 0))
    }

    private func open(rows: Int) throws -> TerminalSession {
        try TerminalSession(["tui", "--data", folder.path], rows: rows, columns: 80)
    }
}

extension TourTests {
    private struct Block {
        let kind: String
        let lines: [String]

        /// The commands of a console block, each with the displayed part of its output.
        var commands: [(arguments: [String], output: [String])] {
            var commands: [(arguments: [String], output: [String])] = []
            for line in lines {
                if line.hasPrefix("$ swift run sample-cli ") {
                    commands.append((TourTests.arguments(of: line), []))
                } else if !commands.isEmpty {
                    commands[commands.count - 1].output += TourTests.masked([line])
                }
            }
            return commands
        }
    }

    /// The arguments after the program's name, without the quotation marks for the shell.
    private static func arguments(of line: String) -> [String] {
        line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }
        .dropFirst(4).map { $0 }
    }

    /// The lines without the parts that differ in each run.
    private static func masked(_ lines: [String]) -> [String] {
        lines.map { line in
            // Dates first, because a year could be mistaken for an id.
            line.replacing(#/[0-9]+ [A-Z][a-z]+ [0-9]{4}/#, with: "date")
                .replacing(#/\b[0-9a-f]{4}\b/#, with: "id")
                .replacing(#/ +/#, with: " ")
        }
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
    }

    private static func blocks() throws -> [Block] {
        let guide = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Docs/Sample.md")
        let text = try String(contentsOf: guide, encoding: .utf8)
        let section = try #require(text.split(separator: "\n## ").first { $0.hasPrefix("A tour") })
        var blocks: [Block] = []
        var open: (kind: String, lines: [String])?
        for line in section.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let block = open {
                    blocks.append(Block(kind: block.kind, lines: block.lines))
                    open = nil
                } else {
                    open = (String(line.dropFirst(3)), [])
                }
            } else {
                open?.lines.append(String(line))
            }
        }
        try #require(blocks.count >= 5)
        return blocks
    }
}
