import Relux
import ReluxTesting
import Testing

@Suite("StoreObserver", .timeLimit(.minutes(10)))
struct StoreObserverTests {
    @Test("each observer gets each action once, in order, and can read the states as the action left them")
    func states() async throws {
        let trace = Trace<String>()
        let observers: [any Relux.StoreObserver] = ["a", "b", "c"].map { name in
            StateHookObserver { record, states in
                trace.note("\(name) \(record.sequence): \(states[Counter<TagA>.self]?.value ?? -1)")
            }
        }
        let store = try await Relux.Store(.init(observers: [TraceObserver()] + observers)) { Part<TagA>.counting() }

        await store.dispatch(Counter<TagA>.Add(amount: 2))
        await store.dispatch {
            Counter<TagA>.Add(amount: 3)
            Counter<TagA>.Add(amount: 4)
        }

        // The actions of a batch are reported after its last reducer.
        let expected = ["a 1: 2", "b 1: 2", "c 1: 2", "a 2: 9", "b 2: 9", "c 2: 9", "a 3: 9", "b 3: 9", "c 3: 9"]
        #expect(trace.entries == expected)
    }

    /// Notes the states as each registration leaves them.
    private struct Registrar: Relux.StoreObserver {
        let trace = Trace<String>()

        func moduleRegistered(
            _ module: any Relux.Module.Type, in scope: Relux.Scope?, leaving states: borrowing Relux.StateReader
        ) {
            let values = [states[Counter<TagA>.self]?.value, states[Counter<TagB>.self]?.value]
            let place = scope.map { " in \($0)" } ?? ""
            trace.note("\(values.map { $0.map(String.init) ?? "-" })\(place)")
        }
    }

    @Test("an observer can read the states as each registration left them, given values included")
    func registrations() async throws {
        let observer = Registrar()
        let configuration = Relux.StoreConfiguration(
            states: [Counter<TagB>(value: 7)], observers: [TraceObserver(), observer]
        )

        let store = try await Relux.Store(configuration) {
            Part<TagA>.counting()
            Part<TagB>.counting()
        }
        await store.dispatch(Counter<TagA>.Add(amount: 2))
        try await store.register(Chat.Module(id: "c1"))

        #expect(
            observer.trace.entries == [
                #"["0", "7"]"#, #"["0", "7"]"#, #"["2", "7"] in Chat.Module["c1"]"#,
            ]
        )
    }

    @Test("the records of runs tell when they started and ended")
    func times() async throws {
        let clock = ManualClock()
        let trace = Trace<String>()
        @Sendable func note(_ event: String, _ run: Relux.RunRecord) {
            let times = [run.startTime, run.endTime].map { $0.map { "\($0.components.seconds)" } ?? "" }
            trace.note("\(event) \(run.id) \(times.joined(separator: "-"))")
        }
        let observer = HookObserver(onStart: { note("start", $0) }, onEnd: { run, _, _ in note("end", run) })
        let store = try await Relux.Store(.init(clock: clock, observers: [observer])) {
            WorkSaga(policy: .serial) { _, context in
                #expect(context.run.startTime == nil)
                try await context.sleep(for: .seconds(2))
            }.module()
        }
        await clock.advance(by: .seconds(1))

        await store.dispatch(Work())
        await store.dispatch(Work())
        let removed = await store.dispatch(Work())
        removed.cancel()
        // The store takes the cancellation when it comes to it, and that must be before the clock goes on.
        await removed.finished()
        for _ in 0..<2 {
            await clock.advance(by: .seconds(2), pastSleepers: 1)
        }
        try await store.idle()

        #expect(trace.entries == ["start 1 1-", "end 3 -1", "end 1 1-3", "start 2 3-", "end 2 3-5"])
    }

    /// Notes the errors that nobody receives.
    @Test("an observer is told the errors that no caller receives, before their runs end")
    func unreceived() async throws {
        let trace = Trace<String>()
        let observer = HookObserver(
            onEnd: { run, _, _ in trace.note("end \(run.id)") },
            onUnreceived: { run, error in trace.note("\(run.id) \((error as? TestFailure)?.name ?? "?")") })
        let store = try await Relux.Store(.init(observers: [TraceObserver(), observer])) {
            WorkSaga { work, _ in throw TestFailure(name: work.name) }.module()
        }

        await store.dispatch(Work(name: "lost")).finished()
        await #expect(throws: Relux.EffectError.self) { try await store.perform(Work(name: "received")) }

        #expect(trace.entries == ["1 lost", "end 1", "end 2"])
    }
}
