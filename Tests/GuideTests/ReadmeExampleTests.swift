import Testing

@Suite("README.md", .timeLimit(.minutes(10)))
struct ReadmeExampleTests {
    private struct Service: NotesService {
        func notes() async throws -> [Notes.Note] { [.init(text: "Milk"), .init(text: "Tea")] }
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
}
