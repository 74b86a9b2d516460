import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Hooks of sagas and flows", .timeLimit(.minutes(10)))
struct HooksTests: Staged {
    let scene = Scene()

    private func store(_ sagas: any Relux.Saga...) async throws -> Relux.Store {
        try await makeStore(observers: [observer], sagas: sagas)
    }

    /// Dispatches jobs one by one, opens the gate, and returns the log at the end.
    private func log(of saga: HookedSaga<Job>, _ jobs: Job...) async throws -> [String] {
        let store = try await store(saga)
        for job in jobs { await store.dispatch(job) }
        return try await finalLog(of: store)
    }

    /// A saga whose jobs wait at the gate.
    private var gated: HookedSaga<Job> { HookedSaga { [gate] _, _ in await gate.pass() } }

    // MARK: Start

    @Test("a start is accompanied directly after the trigger, in the same visit, with the run as cause")
    func start() async throws {
        #expect(try await log(of: gated, Job("a", .concurrent)) == ["start a"])

        #expect(observer.trace.entries.prefix(4).dropFirst(2) == ["1 \(Job("a", .concurrent))", "start 1"])
        let record = try #require(observer.records.entries.last)
        #expect(record.sequence == 2)
        #expect(record.cause?.id == 1)
        #expect(record.step == 2)
    }

    /// Two numbers that are equal at the end of each visit: a trigger changes one, and what accompanies it the other.
    private struct Pair: Relux.State {
        var (first, second) = (0, 0)
        var isUnequal: Bool { first != second }

        struct Second: Relux.Action {}

        mutating func reduce(_ action: Second) { second += 1 }

        static func module(performingAgain: Bool = false) -> Part<TagA> {
            Part(
                states: [Pair()], reducers: [.init(of: Pair.self, on: Work.self) { state, _ in state.first += 1 }],
                sagas: [Accompanied(performsAgain: performingAgain)])
        }
    }

    private struct Accompanied: Relux.Saga {
        /// Whether each run performs another one, for which it can't wait.
        let performsAgain: Bool

        func policy(for trigger: Work) -> Relux.Policy { performsAgain ? .serial : .concurrent }
        func actionOnStart(_ trigger: Work) -> (any Relux.Action)? { Pair.Second() }
        func actionOnCancel(_ trigger: Work) -> (any Relux.Action)? { Pair.Second() }
        func run(_ trigger: Work, in context: Relux.SagaContext) async throws {
            #expect(try await !context.state(of: Pair.self).isUnequal)
            guard performsAgain else { return }
            _ = await Ending.of { try await context.perform(Work(name: "again")) }
        }
    }

    @Test(
        "nobody sees the store between a step and what accompanies its runs: no value, no condition",
        arguments: [false, true])
    func noStateInBetween(isRefused: Bool) async throws {
        let world = SeededExecutor(seed: 1)
        let store = try await Relux.Store(.init(executor: world)) { Pair.module(performingAgain: isRefused) }
        let differs = await world.settle { try await store.wait(until: Pair.self) { $0.isUnequal } }
        let unequal = Trace<Bool>()
        await world.settle {
            for await pair in store.values(of: Pair.self) { unequal.note(pair.isUnequal) }
        }

        for _ in 0..<100 { await world.settle { await store.dispatch(Work()) } }
        differs.cancel()
        await world.settle { await store.shutdown() }

        #expect(unequal.entries.count > 100 && unequal.entries.allSatisfy { !$0 })
        #expect(await Ending.of { try await differs.value } == .cancellationError)
    }

    @Test("no view state shows the store between a step and what accompanies its runs")
    @MainActor
    func noViewStateInBetween() async throws {
        let store = try await Relux.Store { Pair.module() }
        let view = try store.viewState(of: Pair.self)
        let unequal = Trace<Bool>()
        view.didChange = { [unowned view] _ in unequal.note(view.value.isUnequal) }

        for _ in 0..<100 { store.doNow(Work()) }
        try await store.idle()

        #expect(unequal.entries == Array(repeating: false, count: 100))
        #expect(view.value.second == 100)
    }

    @Test("a queued run is accompanied when its turn comes")
    func startInTurn() async throws {
        let store = try await store(gated)
        await store.dispatch(Job("a", .serial))
        await store.dispatch(Job("b", .serial))

        #expect(try await store.log() == ["start a"])
        #expect(try await finalLog(of: store) == ["start a", "start b"])
    }

    @Test("a pending run is accompanied when its delay is over")
    func startAfterDelay() async throws {
        let store = try await store(gated)
        await store.dispatch(Job("a", .debounce(.seconds(1))))
        await clock.sleepers(atLeast: 1)

        #expect(try await store.log() == [])
        await clock.advance(by: .seconds(1))
        #expect(try await finalLog(of: store) == ["start a"])
    }

    @Test("what accompanies the triggers of a batch follows its last action")
    func batch() async throws {
        let store = try await store(gated)

        await store.dispatch {
            Job("a", .concurrent)
            Job("b", .leading)
            Job("c", .leading)
            Log.Action.add("last")
        }

        #expect(try await finalLog(of: store) == ["last", "start a", "start b", "drop c"])
    }

    // MARK: Drop

    @Test(
        "a trigger that never starts is dropped: by its policy, or by one that supersedes it while it waits",
        arguments: [
            (Relux.Policy.leading, "bc"), (.leading(limit: 1), "bc"), (.throttle(.seconds(1), trailing: false), "bc"),
            (.conflated, "b"), (.debounce(.seconds(1)), "ab"), (.throttle(.seconds(1)), "b"),
        ])
    func drop(policy: Relux.Policy, dropped: String) async throws {
        let store = try await store(gated)

        for name in ["a", "b", "c"] { await store.dispatch(Job(name, policy)) }
        let drops = try await store.log().filter { $0.hasPrefix("drop") }
        gate.open()
        await store.cancel(HookedSaga<Job>.self)
        try await store.idle()

        #expect(drops == dropped.map { "drop \($0)" })
    }

    @Test("a run that was superseded after its start calls nothing")
    func supersededAfterStart() async throws {
        #expect(try await log(of: gated, Job("a", .latest), Job("b", .latest)) == ["start a", "start b"])
    }

    // MARK: Failure and cancellation

    @Test(
        "a failure is accompanied in the step that ends the run, and has then been received; perform throws it anyway"
    )
    func failure() async throws {
        let store = try await store(HookedSaga<Job> { _, _ in throw TestFailure() })
        let failures = store.failures

        await store.dispatch(Job("a", .concurrent))
        try await store.idle()
        let performed = await Ending.of { try await store.perform(Job("b", .concurrent)) }
        let log = try await store.log()
        await store.shutdown()

        let threw = Ending.threw(TestFailure())
        #expect(log == ["start a", "\(threw) of a", "start b", "\(threw) of b"])
        #expect(performed == .failed(TestFailure()))
        #expect(await failures.first { _ in true } == nil)
        #expect(observer.trace.entries.contains("end 1 failed: \(TestFailure())"))
    }

    @Test("a supersession or a drop of what a run performed is a failure of the run", arguments: [true, false])
    func innerOutcome(isDrop: Bool) async throws {
        let policy: Relux.Policy = isDrop ? .leading : .latest
        let inner = ClosureSaga<Errand>(policy: { _ in policy }) { [gate] _, _ in await gate.pass() }
        let store = try await store(HookedSaga<Job> { _, context in try await context.perform(Errand()) }, inner)
        if isDrop { await store.dispatch(Errand()) }
        await store.dispatch(Job("a", .concurrent))
        let expected: Ending = isDrop ? .dropped : .superseded
        if isDrop {
            try await store.logged("\(expected) of a")
        } else {
            await gate.arrivals()
            await store.dispatch(Errand())
        }

        #expect(try await finalLog(of: store) == ["start a", "\(expected) of a"])
    }

    @Test("a cancellation that the body throws by itself counts as one", arguments: [true, false])
    func ownCancellation(isEffectError: Bool) async throws {
        let saga = HookedSaga<Job> { _, _ in
            if isEffectError { throw Relux.EffectError.cancelled }
            throw CancellationError()
        }

        #expect(try await log(of: saga, Job("a", .concurrent)) == ["start a", "cancel a"])
    }

    @Test("a failure comes before the start of the next run")
    func failureBeforeStart() async throws {
        let saga = HookedSaga<Job> { [gate] job, _ in
            await gate.pass()
            if job.name == "a" { throw TestFailure() }
        }

        let log = try await log(of: saga, Job("a", .serial), Job("b", .serial))

        #expect(log == ["start a", "\(Ending.threw(TestFailure())) of a", "start b"])
    }

    @Test("a flow has the same hooks")
    func flows() async throws {
        struct Answers: Relux.Flow {
            let gate: Gate
            func actionOnStart(_ trigger: Question) -> (any Relux.Action)? { Log.Action.add("start \(trigger.number)") }
            func actionOnDrop(_ trigger: Question) -> (any Relux.Action)? { Log.Action.add("drop \(trigger.number)") }
            func actionOnCancel(_: Question) -> (any Relux.Action)? { Log.Action.add("cancel") }
            func actionOnFailure(_: Question, _ error: any Error) -> (any Relux.Action)? { Log.Action.add("\(error)") }
            func policy(for trigger: Question) -> Relux.Policy { .leading }
            func run(_ trigger: Question, in context: Relux.SagaContext) async throws -> Int {
                await gate.pass()
                if trigger.number == 0 { throw TestFailure() }
                try await untilCancelled()
                return 0
            }
        }
        let store = try await makeStore(flows: [Answers(gate: gate)])
        let first = await store.dispatch(Question(number: 0))
        await store.dispatch(Question(number: 1))
        gate.open()
        await first.finished()
        await store.dispatch(Question(number: 2))
        await store.cancel(Answers.self)
        try await store.idle()

        #expect(try await store.log() == ["start 0", "drop 1", "\(TestFailure())", "start 2", "cancel"])
    }

    // MARK: None

    @Test("triggers that join a shared run, attempts of a retry, and timeouts call none")
    func joinedTriggersAndAttempts() async throws {
        let saga = HookedSaga<Job> { [gate] _, context in
            await gate.pass()
            try await context.retry(.constant(.zero, attempts: 3)) {
                try await context.timeout(after: .seconds(1)) { _ in throw TestFailure() }
            }
        }

        let log = try await log(of: saga, Job("a", .shared), Job("b", .shared), Job("c", .shared))

        #expect(log == ["start a", "\(Ending.threw(TestFailure())) of a"])
    }

    @Test(
        "a reset, an unregistration, and a shutdown call none, whatever the body throws then",
        arguments: [Halt.reset, .unregistered, .shutDown])
    func ends(end: Halt) async throws {
        let saga = HookedSaga<Job> { _, _ in do { try await untilCancelled() } catch { throw TestFailure() } }
        let store = try await store(saga)
        await store.dispatch(Job("active", .serial))
        await store.dispatch(Job("queued", .serial))

        await end.happen(to: Task {}, in: store)

        let actions = observer.records.entries.compactMap { $0.action as? Log.Action }
        #expect(actions == [.add("start active")])
    }

    @Test("a run that has closed its own instance calls none, and its error appears in failures")
    func closedInstance() async throws {
        let saga = HookedSaga<Job> { _, context in
            await context.dispatch(Pages.Action.close("page"))
            throw TestFailure()
        }
        let store = try await Relux.Store(.init(observers: [observer])) {
            Pages.Module { InstancePart.logging($0, sagas: [saga]) }
        }
        let failures = store.failures
        await store.dispatch(Pages.Action.open("page"))

        await store.dispatch(Relux.ChildAction(InstancePart.self, id: "page", Job("a", .concurrent)))

        #expect(await failures.first { _ in true }?.error is TestFailure)
        #expect(observer.records.entries.compactMap { $0.action as? Log.Action } == [.add("start a")])
    }

    @Test("what accompanies a run is not reduced in a later instance with the same id")
    func laterInstance() async throws {
        struct Reopen: Relux.Action {}
        struct Reopener: Relux.Saga {
            func actionOnStart(_ trigger: Reopen) -> (any Relux.Action)? { Pages.Action.set([]) }
            func run(_ trigger: Reopen, in context: Relux.SagaContext) async throws {}
        }
        let reopening = Relux.Rule(onChangeOf: Pages.self, \.open) { _, open, _ in
            if open.isEmpty { [Pages.Action.open("page")] } else { [] }
        }
        let store = try await Relux.Store {
            Pages.Module(rules: [reopening], sagas: [Reopener()]) {
                InstancePart.logging($0, sagas: [HookedSaga<Job> { _, _ in }])
            }
        }
        await store.dispatch(Pages.Action.open("page"))

        await store.dispatch {
            Reopen()
            Relux.ChildAction(InstancePart.self, id: "page", Job("a", .concurrent))
        }
        try await store.idle()

        #expect(try await store.scope(of: InstancePart.self, id: "page").state(of: Log.self).entries == [])
    }

    // MARK: Replacement and chains

    @Test("a replacement cancels with the hook of the old saga")
    func replacement() async throws {
        func module(_ name: String) -> SagaModule {
            HookedSaga<Job>(policy: \.policy, name: { "\($0.name) by \(name)" }) { _, _ in try await untilCancelled() }
                .alone
        }
        let store = Relux.Store()
        try await store.register(module("old"))
        await store.dispatch(Job("a", .concurrent))

        try await store.replace(module("new"))

        #expect(try await store.log() == ["start a by old", "cancel a by old"])
    }

    private struct Endless<T: Tag>: Relux.Saga {
        func actionOnStart(_ trigger: Work) -> (any Relux.Action)? { Work(name: "next") }
        func run(_ trigger: Work, in context: Relux.SagaContext) async throws {}
    }

    @Test("what follows from a hook ends after 1,000 actions, however they branch, and this is reported")
    func endlessChain() async throws {
        for count in [1, 2] {
            let observer = TraceObserver()
            let sagas = Array([Endless<TagA>(), Endless<TagB>()] as [any Relux.Saga]).prefix(count)
            let store = try await makeStore(observers: [observer], sagas: Array(sagas))

            await store.dispatch(Work())
            try await store.idle()

            // Each start that the caller's action has led to has a limit of its own.
            #expect(observer.records.entries.count == 1_000 * count + 1)
            #expect(observer.reasons == Array(repeating: "endlessRules", count: count))
            let later = await store.dispatch(Log.Action.add("later"))
            #expect(later.sequence == UInt64(1_000 * count + 2))
        }
    }
}
