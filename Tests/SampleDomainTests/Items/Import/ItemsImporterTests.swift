import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The flow that imports, alone.
@Suite(.timeLimit(.minutes(10))) struct ItemsImporterTests {
    private func tester() async throws -> SagaTester<Items.Import> {
        let tester = try await SagaTester(
            Items.Importer(source: .counting()), states: [Items.State(loaded: [])])
        try await tester.answer(Items.Effect.self) { _ in .value(()) }
        return tester
    }

    private func additions(_ numbers: Range<Int>, _ titles: [String]) -> [Items.Addition] {
        zip(numbers, titles).map { Items.Addition(id: .sample($0), title: $1) }
    }

    @Test func `every batch is added, then saved, and the end creates one step`() async throws {
        let titles = (1...1_001).map { "Title \($0)" }
        let tester = try await tester()

        await tester.start(Items.Import(of: InMemoryTextLines(titles), id: .sample(7)))

        #expect(
            tester.dispatched(Items.State.Action.self) == [
                .importBegan(.sample(7)),
                .imported(additions(100..<1_100, titles), blank: 0, at: noon),
                .importSaved(.sample(7)),
                .imported(additions(1_100..<1_101, ["Title 1001"]), blank: 0, at: noon),
                .importSaved(.sample(7)),
                .importEnded,
            ]
        )
        #expect(tester.performed(Items.Effect.self) == [.save, .save])
        #expect(tester.output?.saved == 1_001)
    }

    @Test func `white space is removed, and blank lines are skipped and not saved`() async throws {
        let tester = try await tester()

        await tester.start(Items.Import(of: InMemoryTextLines(["", " \t", "\u{A0}"]), id: .sample(7)))

        #expect(
            tester.dispatched(Items.State.Action.self) == [
                .importBegan(.sample(7)), .imported([], blank: 3, at: noon), .importEnded,
            ]
        )
        #expect(tester.performed(Items.Effect.self).isEmpty)
    }

    @Test func `a text that can't be read any further ends it with what was read before`() async throws {
        let damage = StorageError(.invalidUTF8, file: "f", line: 2)
        let lines = InMemoryTextLines(["a"]) { (count) throws(StorageError) in if count > 0 { throw damage } }
        let tester = try await tester()

        await tester.start(Items.Import(of: lines))

        guard case .failed(let error)? = tester.outcome else { throw try #require(nil as ItemsError?) }
        #expect(error as? ItemsError == .notImported(damage))
        #expect(tester.dispatched(Items.State.Action.self).last == .importEnded)
    }
}
