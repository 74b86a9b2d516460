import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Listening from the trigger on", .timeLimit(.minutes(10)))
struct ListensTests: Staged {
    let scene = Scene()

    /// How a run awaits its answer.
    enum Way: CaseIterable, Sendable {
        case first, stream, timeout, laterFirst

        func answer(_ context: Relux.SagaContext) async throws -> String? {
            switch self {
            case .first:
                return try await context.first(of: Log.Action.self).text
            case .stream:
                return await context.actionStream(of: Log.Action.self).first { _ in true }?.text
            case .timeout:
                return try await context.timeout(after: .seconds(9)) { context in
                    try await context.first(of: Log.Action.self).text
                }
            case .laterFirst:
                _ = try await context.first(of: Log.Action.self)
                return try await context.first(of: Log.Action.self).text
            }
        }
    }

    private struct Listener: Relux.Saga {
        var policy = Relux.Policy.concurrent
        var way = Way.first
        let heard: Trace<String?>
        var listens: [any Relux.Action.Type] { [Log.Action.self] }

        func policy(for trigger: Work) -> Relux.Policy { policy }
        func run(_ trigger: Work, in context: Relux.SagaContext) async throws {
            heard.note(try await way.answer(context))
        }
    }

    @Test(
        "an answer that is sent right after the trigger isn't missed, in the plain order and in 300 seeds",
        arguments: Way.allCases)
    func rightAfter(way: Way) async {
        let report = await Simulation.explore(seeds: 0..<300) { world in
            let heard = Trace<String?>()
            let store = try await world.store { SagaModule(sagas: [Listener(way: way, heard: heard)]) }
            await store.dispatch(Log.Action.add("before"))

            await store.dispatch(Work())
            await store.dispatch(Log.Action.add("answer"))
            if way == .laterFirst { await store.dispatch(Log.Action.add("answer 2")) }
            try await store.idle()

            #expect(heard.entries == [way == .laterFirst ? "answer 2" : "answer"])
        }
        #expect(report.failure == nil, "\(report)")
    }

    @Test(
        "nor is one in the trigger's own step: of the same batch, or added by a rule, by a saga or a reaction",
        arguments: [true, false], [true, false])
    func sameStep(isBatch: Bool, isReaction: Bool) async throws {
        let heard = Trace<String?>()
        let reaction = Relux.Reaction(to: Work.self, listens: [Log.Action.self]) { _, context in
            heard.note(try await Way.first.answer(context))
        }
        let saga: any Relux.Saga = isReaction ? reaction : Listener(heard: heard)
        let rule = Relux.Rule(on: Work.self) { _, _ in isBatch ? [] : [Log.Action.add("answer")] }
        let store = try await Relux.Store {
            Part<TagA>(rules: [rule], sagas: [saga], dependencies: [Log.Module()])
        }

        await store.dispatch {
            Log.Action.add("before")
            Work()
            if isBatch { Log.Action.add("answer") }
        }
        try await store.idle()

        #expect(heard.entries == ["answer"])
    }

    @Test("waits for one type take nothing from each other, nor does a stream from them", arguments: 0..<20)
    func beside(seed: UInt64) async throws {
        let world = SeededExecutor(seed: seed)
        let reaction = Relux.Reaction(to: Work.self, listens: [Log.Action.self]) { [trace] _, context in
            async let one = context.first(of: Log.Action.self) { $0.text == "one" }
            async let two = context.first(of: Log.Action.self) { $0.text == "two" }
            async let any = context.actionStream(of: Log.Action.self).first { _ in true }
            trace.note(try await "\(one.text) \(two.text) \(any?.text ?? "none")")
        }
        let store = try await makeStore(executor: world, reaction)
        await world.settle { await store.dispatch(Work()) }

        for text in ["two", "one"] { await world.settle { await store.dispatch(Log.Action.add(text)) } }

        #expect(trace.entries == ["one two two"])
    }

    @Test("a run that waits for its turn listens from its trigger on")
    func queued() async throws {
        let (heard, lane) = (Trace<String?>(), Relux.Lane("lane"))
        let blocker = ClosureSaga<Errand>(policy: { _ in .serial.in(lane) }) { [gate] _, _ in await gate.pass() }
        let store = try await makeStore(blocker, Listener(policy: .serial.in(lane), heard: heard))
        await store.dispatch(Errand())
        await store.dispatch(Work())

        await store.dispatch(Log.Action.add("answer"))

        #expect(try await finalLog(of: store) == ["answer"])
        #expect(heard.entries == ["answer"])
    }

    @Test("a flow listens, too, and triggers that are dropped or joined leave nothing behind")
    func flows() async throws {
        struct Asking: Relux.Flow {
            var listens: [any Relux.Action.Type] { [Log.Action.self] }
            func policy(for trigger: Question) -> Relux.Policy { trigger.number == 0 ? .shared : .leading }
            func run(_ trigger: Question, in context: Relux.SagaContext) async throws -> Int {
                try await context.first(of: Log.Action.self).text.count
            }
        }
        let store = try await makeStore(flows: [Asking()])
        let first = await store.dispatch(Question(number: 0))
        await store.dispatch(Question(number: 0))
        let dropped = await store.dispatch(Question(number: 1))

        await store.dispatch(Log.Action.add("answer"))

        #expect(await first.outcome().endings == [.returned])
        #expect(await dropped.outcome().endings == [.cancelled])
        try await store.idle()
        #expect(await store.leftovers() == [:])
    }

    @Test("what a run has kept ends when the run is cancelled, whatever its body waits in", arguments: [true, false])
    func cancelled(isListening: Bool) async throws {
        struct Waiting: Relux.Saga {
            let isListening: Bool
            let gate: Gate
            var listens: [any Relux.Action.Type] { isListening ? [Log.Action.self] : [] }
            func run(_ trigger: Work, in context: Relux.SagaContext) async throws {
                // A task that the cancellation of the run doesn't reach.
                let answer = Task {
                    gate.open()
                    return try await context.first(of: Log.Action.self)
                }
                _ = try await answer.value
            }
        }
        let store = try await makeStore(Waiting(isListening: isListening, gate: gate))
        let work = await store.dispatch(Work())
        await gate.pass()

        await store.cancel(Waiting.self)

        // This would hang.
        await work.finished()
        #expect(await store.leftovers() == [:])
    }
}

extension Log.Action {
    fileprivate var text: String { if case .add(let text) = self { text } else { "" } }
}
