import Foundation
import Testing

@Suite("README.md", .timeLimit(.minutes(10)))
struct ReadmeExampleTests {
    private struct Service: NotesService {
        func notes() async throws -> [Notes.Note] { [.init(text: "Milk"), .init(text: "Tea")] }
    }

    private let source = URL(filePath: #filePath).deletingLastPathComponent()

    @Test("its examples are the code that is compiled in this target")
    func isCompiled() throws {
        let readme = try String(contentsOf: source.appending(path: "../../../README.md"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst().prefix(3)
            .map { String($0.prefix(upTo: $0.range(of: "```")?.lowerBound ?? $0.startIndex)) }

        #expect(blocks == (try examples()))
    }

    @Test("its example works as described")
    func works() async throws {
        let (counts, print) = AsyncStream.makeStream(of: Int.self)
        let use = Task { try await ReadmeExample.use(Service()) { print.yield($0) } }

        let first = await counts.first { _ in true }
        use.cancel()

        #expect(first == 2)
        #expect(try await use.value.notes.map(\.text) == ["Milk", "Tea"])
    }

    /// Returns the text between the markers, with its indentation removed.
    private func examples() throws -> [String] {
        let code = try String(contentsOf: source.appending(path: "ReadmeExample.swift"), encoding: .utf8)
        return code.components(separatedBy: "// README: ").dropFirst().map { part in
            let lines = part.components(separatedBy: "\n").dropFirst()
            let body = lines.prefix { !$0.hasSuffix("// End") }
            let indent = body.first?.prefix { $0 == " " }.count ?? 0
            return body.map { $0.dropFirst(indent) + "\n" }.joined()
        }
    }
}
