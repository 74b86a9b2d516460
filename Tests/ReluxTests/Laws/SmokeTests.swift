import Relux
import ReluxTesting
import Testing

@Suite struct SmokeTests {
    @Test func `a dispatched action is reduced`() async throws {
        let store = try await Relux.Store { Log.Module() }
        let d = await store.dispatch(Log.Action.add("a"))
        #expect(d.sequence == 1)
        #expect(try await store.state(of: Log.self).entries == ["a"])
    }
    @Test func `perform returns the flow's value`() async throws {
        let store = try await Relux.Store { SagaModule(flows: [QuestionFlow { q, _ in q.number * 2 }]) }
        #expect(try await store.perform(Question(number: 21)) == 42)
    }
    @Test func `sagas dispatch back`() async throws {
        let store = try await Relux.Store { WorkSaga { w, c in await c.dispatch(Log.Action.add(w.name)) }.module() }
        try await store.perform(Work(name: "x"))
        await store.dispatch(Work(name: "y")).finished()
        let result = await store.actions {
            Work(name: "z"); Log.Action.add("!")
        }
        guard case .success = result else { Issue.record("\(result)"); return }
        #expect(try await store.state(of: Log.self).entries == ["x", "y", "z", "!"])
        try await store.idle()
    }
    @Test func `latest supersedes`() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            WorkSaga(policy: .latest) { w, c in
                if w.name == "old" { await gate.pass() }
                await c.dispatch(Log.Action.add(w.name))
            }.module()
        }
        let old = Task { try await store.perform(Work(name: "old")) }
        await gate.arrivals()
        try await store.perform(Work(name: "new"))
        gate.open()
        await #expect(throws: Relux.EffectError.self) { try await old.value }
        #expect(try await store.state(of: Log.self).entries == ["new"])
    }
    @Test func `serial cycle is found`() async throws {
        let store = try await Relux.Store { WorkSaga(policy: .serial) { w, c in try await c.perform(Work()) }.module() }
        await #expect(throws: Relux.EffectError.self) { try await store.perform(Work(name: "old")) }
    }
    @Test func `values and streams`() async throws {
        let store = try await Relux.Store { Log.Module() }
        let stream = store.actionStream(of: Log.Action.self)
        store.send(Log.Action.add("1"))
        var it = stream.makeAsyncIterator()
        #expect(await it.next() == .add("1"))
        var values = store.values(of: Log.self) { $0.entries.count }.makeAsyncIterator()
        #expect(await values.next() == 1)
        async let second = values.next()
        await store.dispatch(Log.Action.add("2"))
        #expect(await second == 2)
    }
    @Test func `release ends everything`() async throws {
        let gate = Gate()
        var store: Relux.Store? = try await Relux.Store {
            WorkSaga(policy: .serial) { w, c in await gate.pass() }.module()
        }
        let d = store!.dispatcher
        let t = Task { try await d.perform(Work()) }
        let v = store!.values(of: Log.self)
        let r = Task { for await _ in v {} }
        await gate.arrivals()
        store = nil
        await #expect(throws: Relux.EffectError.self) { try await t.value }
        await r.value
        gate.open()
    }
    @Test func `timeout and debounce`() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let store = try await Relux.Store(.init(clock: clock)) {
            WorkSaga(policy: .debounce(.seconds(1))) { w, c in
                do {
                    try await c.timeout(after: .seconds(5)) { c in
                        await gate.pass(); await c.dispatch(Log.Action.add("late"))
                    }
                } catch is Relux.TimeoutError { await c.dispatch(Log.Action.add("timeout")) }
            }.module()
        }
        let d = await store.dispatch(Work())
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(1))
        await gate.arrivals()
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(5))
        await d.finished()
        gate.open()
        try await store.idle()
        #expect(try await store.state(of: Log.self).entries == ["timeout"])
    }
    @Test func `reset and unregister`() async throws {
        let gate = Gate()
        let store = try await Relux.Store {
            WorkSaga { w, c in
                await gate.pass(); await c.dispatch(Log.Action.add("stale"))
            }.module()
        }
        await store.dispatch(Log.Action.add("a"))
        await store.dispatch(Work())
        await gate.arrivals()
        let reset = Task { await store.reset() }
        gate.open()
        await reset.value
        #expect(try await store.state(of: Log.self).entries == [])
        await store.unregister(SagaModule.self)
        await #expect(throws: Relux.StoreError.self) { try await store.state(of: Log.self) }
    }
}
