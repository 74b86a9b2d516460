import Relux
import Testing

@Suite("Law 5: reducers first", .timeLimit(.minutes(10)))
struct Law05ReducersFirstTests {
    /// A state of another module that also reduces the writes.
    private struct Neighbour: Relux.State {
        typealias Action = Never

        var numbers: [Int] = []

        struct Module: Relux.Module {
            var states: [any Relux.State] { [Neighbour()] }
            var reducers: [Relux.Reducer] {
                [
                    .init(of: Neighbour.self, on: Ledger.Write.self) { $0.numbers.append($1.number) },
                    .init(of: Neighbour.self, on: Ledger.Deliver.self) { $0.numbers.append($1.write.number) },
                ]
            }
        }
    }

    private struct Sight: Sendable, Hashable {
        var number: Int
        var isInLedger: Bool
        var isInNeighbour: Bool

        var isWhole: Bool { isInLedger && isInNeighbour }

        init(of number: Int, in context: Relux.SagaContext) async throws {
            self.number = number
            isInLedger = try await context.state(of: Ledger.State.self).writes.contains { $0.number == number }
            isInNeighbour = await context.read { $0[Neighbour.self]?.numbers.contains(number) == true }
        }
    }

    private struct WriteSaga: Relux.Saga {
        let sights: Trace<Sight>

        func run(_ trigger: Ledger.Write, in context: Relux.SagaContext) async throws {
            sights.note(try await Sight(of: trigger.number, in: context))
        }
    }

    private struct DeliverSaga: Relux.Saga {
        let sights: Trace<Sight>

        func run(_ trigger: Ledger.Deliver, in context: Relux.SagaContext) async throws {
            sights.note(try await Sight(of: trigger.write.number, in: context))
        }
    }

    @Test("a saga sees every state as its trigger left it, or later", arguments: WritingVerb.allCases)
    func sagasSeeTheirTrigger(verb: WritingVerb) async throws {
        let sights = Trace<Sight>()
        // The saga's module is registered first, the reducers of its trigger later.
        let store = try await Relux.Store {
            SagaModule(sagas: [WriteSaga(sights: sights), DeliverSaga(sights: sights)])
            Ledger.Module()
            Neighbour.Module()
        }
        let rounds = 200

        for number in 0..<rounds { try await verb.submit(Ledger.Write(number: number), to: store) }
        try await store.idle()

        #expect(Set(sights.entries.map(\.number)) == Set(0..<rounds))
        #expect(sights.entries.allSatisfy { $0.isWhole })
    }

    @Test("a run starts after the last reducer of its trigger")
    func runsStartAfterReducers() async throws {
        let counts = Trace<Int>()
        let reduced = Trace<Int>()
        let observer = HookObserver(onStart: { _ in counts.note(reduced.entries.last ?? 0) })
        let store = try await Relux.Store(.init(observers: [observer])) {
            SagaModule(sagas: [WriteSaga(sights: Trace())])
            Ledger.Module()
            Neighbour.Module()
            // The last reducer of the trigger.
            Part<TagA>(
                reducers: [
                    .init(of: Neighbour.self, on: Ledger.Write.self) { state, _ in reduced.note(state.numbers.count) }
                ],
                dependencies: [Neighbour.Module()]
            )
        }

        for number in 0..<3 { await store.dispatch(Ledger.Write(number: number)) }
        await store.dispatch(contentsOf: (3..<5).map { Ledger.Write(number: $0) })

        #expect(counts.entries == [1, 2, 3, 5, 5])
    }

    @Test("a saga's policy is requested after the reducers of the trigger have run")
    func policiesFollowReducers() async throws {
        struct Asked: Relux.Saga {
            let counts: Trace<Int>
            let reduced: Trace<Int>

            func policy(for trigger: Ledger.Write) -> Relux.Policy {
                counts.note(reduced.entries.last ?? 0)
                return .concurrent
            }

            func run(_ trigger: Ledger.Write, in context: Relux.SagaContext) async {}
        }
        let (counts, reduced) = (Trace<Int>(), Trace<Int>())
        let store = try await Relux.Store {
            SagaModule(sagas: [Asked(counts: counts, reduced: reduced)])
            Ledger.Module()
            // The last reducer of the trigger.
            Part<TagA>(
                reducers: [
                    .init(of: Ledger.State.self, on: Ledger.Write.self) { state, _ in reduced.note(state.writes.count) }
                ],
                dependencies: [Ledger.Module()]
            )
        }

        await store.dispatch(Ledger.Write(number: 0))
        await store.dispatch(Ledger.Write(number: 1))

        #expect(counts.entries == [1, 2])
    }

    @Test("a performed flow sees the states that its effect left")
    func flowsSeeTheirTrigger() async throws {
        struct Asking: Relux.Module {
            var dependencies: [any Relux.Module] { [Log.Module()] }
            var reducers: [Relux.Reducer] {
                [.init(of: Log.self, on: Question.self) { log, question in log.entries.append("\(question.number)") }]
            }
            var flows: [any Relux.Flow] {
                [
                    QuestionFlow { question, context in
                        let entries = try await context.state(of: Log.self).entries
                        return entries.last == "\(question.number)" ? entries.count : -1
                    }
                ]
            }
        }
        let store = try await Relux.Store { Asking() }

        for number in 0..<100 { #expect(try await store.perform(Question(number: number)) == number + 1) }
    }
}
