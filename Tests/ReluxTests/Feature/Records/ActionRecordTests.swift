import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("ActionRecord", .timeLimit(.minutes(10)))
struct ActionRecordTests: Staged {
    private static let file: StaticString = "App/Notes.swift"
    let scene = Scene()

    /// Dispatches, sends, or performs `Work` once with each verb, and returns their call sites.
    private static func useEveryVerb(of store: Relux.Store) async throws -> [Relux.CallSite] {
        let dispatcher = store.dispatcher
        let start: UInt = #line
        store.send(Work())
        await store.dispatch(Work())
        await store.dispatch(contentsOf: [Work()])
        await store.dispatch(contentsOf: [Work()].reversed())
        await store.dispatch { Work() }
        try await store.perform(Work())
        await store.actions { Work() }
        await store.actions(.concurrently) { Work() }
        dispatcher.send(Work())
        await dispatcher.dispatch(Work())
        await dispatcher.dispatch(contentsOf: [Work()])
        await dispatcher.dispatch { Work() }
        try await dispatcher.perform(Work())
        await dispatcher.actions { Work() }
        return (1...14).map { Relux.CallSite(line: start + $0) }
    }

    /// Does the same through a context, and says where.
    private static func useEveryVerb(through context: Relux.SagaContext) async throws -> [Relux.CallSite] {
        context.send(Work(), fileID: file, line: 1)
        await context.dispatch(Work(), fileID: file, line: 2)
        await context.dispatch(contentsOf: [Work()], fileID: file, line: 3)
        await context.dispatch(fileID: file, line: 4) { Work() }
        try await context.perform(Work(), fileID: file, line: 5)
        await context.actions(fileID: file, line: 6) { Work() }
        await context.actions(.concurrently, fileID: file, line: 7) { Work() }
        return (1...7).map { Relux.CallSite(fileID: file, line: $0) }
    }

    @Test("every verb of a store and a dispatcher records its call site, no cause, and whether it performs or awaits")
    func callSites() async throws {
        let store = try await makeStore(observers: [observer]) { _, _ in }

        let sites = try await Self.useEveryVerb(of: store)

        let records = observer.records.entries
        #expect(records.map(\.callSite) == sites)
        #expect(sites[0].description == "ReluxTests/ActionRecordTests.swift:\(sites[0].line)")
        #expect(records.allSatisfy { $0.cause == nil })
        #expect(records.filter(\.isPerformed).map(\.sequence) == [6, 13])
        #expect(records.filter(\.isAwaited).map(\.sequence) == [7, 8, 14])
    }

    @Test(
        "an action that a run dispatches, through its context or not, has that run as its cause, and its own call site",
        arguments: [true, false])
    func causes(isContext: Bool) async throws {
        let sites = Trace<[Relux.CallSite]>()
        let flow = QuestionFlow { [link] _, context in
            if isContext { sites.note(try await Self.useEveryVerb(through: context)) }
            if !isContext, let store = link.store { sites.note(try await Self.useEveryVerb(of: store)) }
            return Int(context.run.id)
        }
        let store = try await makeStore(observers: [observer], WorkSaga { _, _ in }, flows: [flow])

        let run = try await store.perform(Question())

        let records = observer.records.entries.dropFirst()
        #expect([records.map(\.callSite)] == sites.entries)
        #expect(records.allSatisfy { $0.cause.map { Int($0.id) } == run && $0.cause?.kind == .flow })
        #expect(records.allSatisfy { $0.cause?.trigger is Question })
        #expect(observer.records.entries.first?.cause == nil)
    }

    @Test("each run in a chain of runs is the cause of its own actions")
    func causesInAChain() async throws {
        let store = try await makeStore(observers: [observer]) { work, context in
            if work.name == "outer" { try await context.perform(Work(name: "inner")) }
            await context.dispatch(Log.Action.add(work.name))
        }

        try await store.perform(Work(name: "outer"))

        let causes = observer.records.entries.map { ($0.cause?.trigger as? Work)?.name }
        #expect(causes == [nil, "outer", "inner", "outer"])
    }

    @Test("a cancelled run is the cause of its cleanup action, whose call site is that of the trigger")
    func causeOfCleanup() async throws {
        let cleanup: @Sendable (Work) -> Log.Action? = { .add("cleaned up \($0.name)") }
        let store = try await makeStore(observers: [observer], cleanup: cleanup) { [gate] _, _ in await gate.pass() }

        await store.dispatch(Work(name: "a"), fileID: Self.file, line: 12)
        await gate.arrivals()
        await store.cancel(WorkSaga.self)
        gate.open()

        let record = try #require(observer.records.entries.last)
        #expect(record.action as? Log.Action == .add("cleaned up a"))
        #expect((record.cause?.trigger as? Work)?.name == "a")
        #expect(record.callSite == Relux.CallSite(fileID: Self.file, line: 12))
    }

    @Test("its time is measured on the store's clock, from the creation of the store")
    func times() async throws {
        await clock.advance(by: .seconds(100))
        let store = try await Relux.Store(.init(clock: clock, observers: [observer])) { Ledger.Module() }

        await store.dispatch(Ledger.Write(number: 0))
        await clock.advance(by: .milliseconds(1500))
        await store.dispatch(contentsOf: [Ledger.Write(number: 1), Ledger.Write(number: 2)])
        store.send(Ledger.Write(number: 3))
        _ = try await store.state(of: Ledger.State.self)
        await clock.advance(by: .seconds(1))
        await store.dispatch { Ledger.Write(number: 4) }
        await store.dispatch(Log.Action.add("nobody"))

        let times = observer.records.entries.map(\.time)
        let later: Duration = .milliseconds(1500)
        #expect(times == [.zero, later, later, later, .milliseconds(2500), .milliseconds(2500)])
        #expect(observer.refusals.entries.map(\.time) == [.milliseconds(2500)])
    }

    @Test("a record's time is that of the observer's call, even if it is kept and first read after others")
    func timesOfKeptRecords() async throws {
        let (early, kept) = (Trace<Duration>(), Trace<Relux.ActionRecord>())
        let observer = HookObserver(onAction: { record in
            if record.sequence.isMultiple(of: 2) { kept.note(record) } else { early.note(record.time) }
        })
        let store = try await Relux.Store(.init(clock: clock, observers: [observer])) { Ledger.Module() }

        for number in 1...6 {
            await store.dispatch(Ledger.Write(number: number))
            await clock.advance(by: .seconds(1))
        }

        #expect(early.entries == [.zero, .seconds(2), .seconds(4)])
        for _ in 1...2 { #expect(kept.entries.map(\.time) == [.seconds(1), .seconds(3), .seconds(5)]) }
        #expect(
            kept.entries.allSatisfy { $0.states.map { ObjectIdentifier($0) } == [ObjectIdentifier(Ledger.State.self)] })
    }

    @Test("the time that an observer takes doesn't count in what the next one reads")
    func slowObserver() async throws {
        let taken = Lock(Duration.zero)
        let times = Trace<Duration>()
        let clock = MovedClock { taken.withLock { $0 } }
        let observers = [
            HookObserver(onAction: { _ in taken.withLock { $0 += .seconds(1) } }),
            HookObserver(onAction: { times.note($0.time) }),
        ]
        let store = try await Relux.Store(.init(clock: clock, observers: observers)) { Ledger.Module() }

        await store.dispatch(Ledger.Write(number: 0))
        await store.dispatch(contentsOf: [Ledger.Write(number: 1), Ledger.Write(number: 2)])

        #expect(times.entries == [.zero, .seconds(1), .seconds(2)])
    }
}

/// A clock that only the test moves, also inside an observer.
private struct MovedClock: Clock {
    private static let start = ContinuousClock.now
    let elapsed: @Sendable () -> Duration

    var now: ContinuousClock.Instant { Self.start.advanced(by: elapsed()) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
}
