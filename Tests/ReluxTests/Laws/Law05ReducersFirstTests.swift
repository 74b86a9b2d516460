import Relux
import Testing

@Suite("Law 5: reducers first", .timeLimit(.minutes(10)))
struct Law05ReducersFirstTests {

    /// Whether a run sees a write in the states of both modules.
    private static func isWhole(_ number: Int, in context: Relux.SagaContext) async throws -> Bool {
        let ledger = try await context.state(of: Ledger.State.self)
        let copy = await context.read { $0[Ledger.Copy.self]?.writes ?? [] }
        return [ledger.writes, copy].allSatisfy { $0.contains { $0.number == number } }
    }

    @Test("a saga sees every state as its trigger left it, or later", arguments: WritingVerb.allCases)
    func sagasSeeTheirTrigger(verb: WritingVerb) async throws {
        let sights = Trace<(number: Int, isWhole: Bool)>()
        // The saga's module is registered first, the reducers of its trigger later.
        let store = try await Relux.Store {
            SagaModule(sagas: [
                ClosureSaga<Ledger.Write> { sights.note(($0.number, try await Self.isWhole($0.number, in: $1))) },
                ClosureSaga<Ledger.Deliver> {
                    sights.note(($0.write.number, try await Self.isWhole($0.write.number, in: $1)))
                },
            ])
            Ledger.Copy.Module()
        }
        let rounds = 200

        for number in 0..<rounds { try await verb.submit(Ledger.Write(number: number), to: store) }
        try await store.idle()

        #expect(Set(sights.entries.map(\.number)) == Set(0..<rounds))
        #expect(sights.entries.allSatisfy { $0.isWhole })
    }

    @Test("a run starts after the last reducer of its trigger, and its policy is requested then")
    func runsStartAfterReducers() async throws {
        let (counts, policies, reduced) = (Trace<Int>(), Trace<Int>(), Trace<Int>())
        let observer = HookObserver(onStart: { _ in counts.note(reduced.entries.last ?? 0) })
        let saga = ClosureSaga<Ledger.Write>(
            policy: { _ in
                policies.note(reduced.entries.last ?? 0)
                return .concurrent
            }
        ) { _, _ in }
        let store = try await Relux.Store(.init(observers: [observer])) {
            SagaModule(sagas: [saga])
            // The last reducer of the trigger.
            Part<TagA>(
                reducers: [
                    .init(of: Ledger.Copy.self, on: Ledger.Write.self) { state, _ in reduced.note(state.writes.count) }
                ],
                dependencies: [Ledger.Copy.Module()]
            )
        }

        for number in 0..<3 { await store.dispatch(Ledger.Write(number: number)) }
        await store.dispatch(contentsOf: (3..<5).map { Ledger.Write(number: $0) })

        #expect(counts.entries == [1, 2, 3, 5, 5])
        #expect(policies.entries == [1, 2, 3, 5, 5])
    }
}
