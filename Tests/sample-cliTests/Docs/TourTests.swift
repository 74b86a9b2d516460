#if os(macOS) || os(Linux)
    import Foundation
    import Relux
    import ReluxPersistence
    import SampleDomain
    import Testing

    /// The tour in Docs/Sample.md, verbatim: what is shown is what the programs write.
    ///
    /// The blocks of the section form one story. A console block contains commands with their output. A text block is
    /// the content of the full-screen terminal at that moment. Dates, and the spacing that depends on them, differ in
    /// each run.
    @Suite(.runsPrograms, .timeLimit(.minutes(10))) struct TourTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        @Test func `the tour in the guide shows what really happens`() async throws {
            let blocks = try Self.blocks()
            // Follows the list, to know when a change has been saved.
            let witness = try await Relux.Store {
                Items.Module(of: .guest, in: Relux.FileStorage(folder: URL(filePath: folder.path)))
            }
            var session: TerminalSession?
            // The keys that the user presses before the next picture, and the number of items that are done then.
            var steps = [("", 0), (" ", 1), ("", 1)][...]

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
                    let (keys, done) = steps.removeFirst()
                    try opened.type(keys)
                    let expected = Self.masked(block.lines)
                    let seen = try await opened.see("what the guide shows") { Self.masked($0.lines) == expected }
                    #expect(seen.unknown.isEmpty)
                    _ = try await witness.wait(until: Items.State.self) { state in
                        state.present.items.count { $0.completed != nil } == done
                    }
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
                line.replacing(#/[0-9]+ [A-Z][a-z]+ [0-9]{4}/#, with: "date").replacing(#/ +/#, with: " ")
            }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
        }

        /// The contents of a section between lines of three grave accents.
        private static func blocks() throws -> [Block] {
            let guide = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Docs/Sample.md")
            let text = try String(contentsOf: guide, encoding: .utf8)
            let section = try #require(text.split(separator: "\n## ").first { $0.hasPrefix("A tour") })
            let parts = section.split(separator: "```").enumerated().filter { !$0.offset.isMultiple(of: 2) }
            try #require(parts.count >= 5)
            return parts.map { part in
                var lines = part.element.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                return Block(kind: lines.removeFirst(), lines: lines.dropLast())
            }
        }
    }
#endif
