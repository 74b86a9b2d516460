import Relux
import Testing

/// Calls every verb of a saga's context from main-actor code that a saga hops to.
@Suite("A saga's context used from the main actor", .timeLimit(.minutes(10)))
struct MainActorContextTests {
    /// The state of a screen, isolated to the main actor.
    final class Screen {
        var step = 3
        var steps = [1, 2]
        var notes: [String] = []

        func note(_ text: String) { notes.append(text) }
    }

    struct Visit: Relux.Effect {}

    /// A saga whose work runs on the main actor.
    struct VisitingSaga: Relux.Saga {
        let visit: @MainActor (Relux.SagaContext) async throws -> Void

        func run(_ trigger: Visit, in context: Relux.SagaContext) async throws { try await visit(context) }
    }

    struct VisitingModule: Relux.Module {
        let visit: @MainActor (Relux.SagaContext) async throws -> Void

        var sagas: [any Relux.Saga] { [VisitingSaga(visit: visit)] }
    }

    private let screen = Screen()

    /// Runs main-actor code as a saga.
    private func visit(_ body: @escaping @MainActor (Relux.SagaContext) async throws -> Void) async throws {
        let store = try await Relux.Store {
            Counting.Module(service: FixedAmountService(value: 10))
            VisitingModule(visit: body)
        }
        try await store.perform(Visit())
    }

    @Test("Actions are dispatched with every verb, and builders read main-actor state")
    func actions() async throws {
        let screen = screen

        try await visit { context in
            context.send(Counting.State.Action.add(Amount(value: screen.step)))
            await context.dispatch(Counting.State.Action.add(Amount(value: screen.step)))
            await context.dispatch(contentsOf: screen.steps.map { Counting.State.Action.add(Amount(value: $0)) })
            await context.dispatch { Counting.State.Action.add(Amount(value: screen.step)) }
            let result = await context.actions(.concurrently) {
                for step in screen.steps { Counting.State.Action.add(Amount(value: step)) }
                Counting.Effect.load
            }
            try await context.perform(Counting.Effect.load)
            screen.note("\(result) \(try await context.perform(Counting.Total()))")
        }

        #expect(screen.notes == ["success 35"])
    }

    @Test("States are read and iterated")
    func reading() async throws {
        let screen = screen

        try await visit { context in
            let stream = context.actionStream(of: Counting.State.Action.self)
            let factor = screen.step
            await context.dispatch(Counting.State.Action.add(Amount(value: screen.step)))
            let state = try await context.state(of: Counting.State.self)
            let read = await context.read { reader in reader[Counting.State.self].map { $0.total.value * factor } }
            var whole = context.values(of: Counting.State.self).makeAsyncIterator()
            var selected = context.values(of: Counting.State.self) { $0.total.value * factor }.makeAsyncIterator()
            var chosen = context.values { reader in reader[Counting.State.self]?.loads }.makeAsyncIterator()
            // The standard library sends this closure off the main actor, whatever the sequence.
            let action = await stream.first { @Sendable in $0 == .add(Amount(value: factor)) }
            screen.note("\(state.total.value) \(read ?? 0) \(await whole.next()?.loads ?? -1)")
            let loads = await chosen.next() ?? nil
            screen.note("\(await selected.next() ?? 0) \(loads ?? -1) \(action != nil)")
        }

        #expect(screen.notes == ["3 9 0", "9 0 true"])
    }

    @Test("Modules are registered, attached and unregistered, states are reset, and runs are cancelled")
    func lifetime() async throws {
        let screen = screen

        try await visit { context in
            try await context.register(Extra.Module())
            await context.unregister(Extra.Module.self)
            let lease = try await context.attach(Extra.Module())
            screen.note("\(try await context.state(of: Extra.State.self).value)")
            await lease.end()
            await context.dispatch(Counting.State.Action.add(Amount(value: screen.step)))
            await context.reset(except: [Counting.State.self])
            screen.note("\(try await context.state(of: Counting.State.self).total.value)")
            await context.reset()
            screen.note("\(try await context.state(of: Counting.State.self).total.value)")
            await context.cancel(Counting.Saga.self)
            await context.cancel(Counting.Saga.self, id: screen.step)
            screen.note("\(context.run)")
        }

        #expect(screen.notes.dropLast() == ["7", "3", "0"])
    }

    @Test("Bodies that use main-actor state sleep, retry and run with a timeout")
    func time() async throws {
        let screen = screen

        try await visit { context in
            try await context.sleep(for: .zero)
            let tried = try await context.retry(.constant(.zero, attempts: 3)) {
                screen.step += 1
                if screen.step < 5 { throw Counting.Fail.Failure() }
                return screen.step
            }
            let timed = try await context.timeout(after: .seconds(60)) { @MainActor context in
                screen.note("inside")
                await context.dispatch(Counting.State.Action.add(Amount(value: screen.step)))
                return screen.step
            }
            screen.note("\(tried) \(timed) \(context.now >= .zero)")
        }

        #expect(screen.notes == ["inside", "5 5 true"])
    }
}
