import Relux
import ReluxTesting
import Testing

/// The testing library, used from code that is isolated to the main actor by default.
@Suite("The testing library used from the main actor", .timeLimit(.minutes(10)))
struct MainActorTestingTests {
    private let module = Counting.Module(service: FixedAmountService(value: 10))

    @Test("A test store states every change of a saga")
    func testStore() async throws {
        let store = try await TestStore { [module] in module }

        await store.dispatch(Counting.Effect.load) { (state: inout Counting.State) in state.loads = 1 }
        await store.receive(Counting.State.Action.add(Amount(value: 10))) { (state: inout Counting.State) in
            state.total = Amount(value: 10)
        }

        await store.finish()
    }

    @Test("A saga is tested alone")
    func sagaTester() async throws {
        let tester = try await SagaTester(
            Counting.Saga(service: FixedAmountService(value: 3)), states: [Counting.State()]
        )

        await tester.start(Counting.Effect.load)

        #expect(tester.dispatched(Counting.State.Action.self) == [.add(Amount(value: 3))])
    }

    @Test("The newer verbs take closures that the compiler would otherwise isolate to the main actor")
    func verbs() async throws {
        let screen = Screen()
        let store = try await Relux.Store {
            Counting.Module(service: FixedAmountService(value: 10))
            ReactingModule()
        }
        let actions = store.actionStream(ofAny: Counting.Poke.self, Counting.State.Action.self)

        let total = try await store.call(Counting.Total())
        let receipt = await store.dispatch(Counting.Effect.load)
        let outcome = await receipt.outcome()
        let state = try await store.wait(until: Counting.State.self) { $0.total.value >= 10 }
        let waiting = Task {
            try await store.first(of: Counting.Poke.self) { _ in
                screen.seen += 1
                return false
            }
        }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await store.cancel(Relux.Lane("counting"))
        await store.reset(sparing: .nobody)

        #expect(total == 0)
        #expect("\(outcome)" == "success")
        #expect(state.total == Amount(value: 10))
        #expect(screen.seen == 0)
        var iterator = actions.makeAsyncIterator()
        #expect(await iterator.next() as? Counting.State.Action == .add(Amount(value: 10)))
    }

    private final class Screen {
        var seen = 0
    }

    /// Reactions, and a saga that retries and shares its runs.
    struct ReactingModule: Relux.Module {
        struct Refresh: Relux.Effect {
            typealias Output = Int
        }

        struct Announcement: Relux.Broadcast {}

        struct Refresher: Relux.Flow {
            func policy(for trigger: Refresh) -> Relux.Policy { .shared.in(Relux.Lane("counting")).background }

            func run(_ trigger: Refresh, in context: Relux.SagaContext) async throws -> Int {
                try await context.retry(.constant(.zero), onSetback: { _ in context.send(Announcement()) }) {
                    try await context.call(Counting.Total())
                }
            }
        }

        var flows: [any Relux.Flow] { [Refresher()] }
        var sagas: [any Relux.Saga] {
            [Relux.Reaction(to: Announcement.self, policy: .conflated) { _, context in context.send(Counting.Poke()) }]
        }
    }

    @Test("A reaction and a shared flow run off the main actor")
    func running() async throws {
        let store = try await Relux.Store {
            Counting.Module(service: FixedAmountService(value: 10))
            ReactingModule()
        }

        await store.dispatch(ReactingModule.Announcement()).finished()

        #expect(try await store.call(ReactingModule.Refresh()) >= 0)
    }

    @Test("A simulation explores schedules; the main actor is outside its scheduler")
    func simulation() async throws {
        let module = module
        await Simulation.explore(seeds: 0..<20) { world in
            let store = try await world.store { module }
            world.always("no load is lost", of: Counting.State.self) { $0.total.value <= $0.loads * 10 }
            for _ in 0..<3 { world.task { try await store.perform(Counting.Effect.load) } }
            await world.settled()

            #expect(try await store.perform(Counting.Total()) == 30)
        }
    }
}
