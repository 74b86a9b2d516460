import Relux
import Testing

@Suite("A store made without awaiting", .timeLimit(.minutes(10)))
struct SynchronousStoreTests {
    @Test("it has its modules and their children, and its watchers run")
    @MainActor
    func modules() async throws {
        let trace = Trace<String>()
        let watcher = ClosureWatcher { context in
            trace.note("started")
            await context.dispatch(Log.Action.add("watched"))
        }
        let store = try Relux.Store(modules: [
            SagaModule(watchers: [watcher]), Inbox.Module(),
        ])
        let state = try store.viewState(of: Log.self)
        store.doNow(Log.Action.add("now"))
        let first = state.value.entries.contains("now")

        try await store.idle()
        _ = try await store.wait(until: Log.self) { $0.entries.count == 2 }

        #expect(first)
        #expect(trace.entries == ["started"])
    }

    @Test("modules that don't fit together are an error")
    func misfits() {
        #expect(throws: Relux.StoreError.self) {
            try Relux.Store(.init(), modules: [Part<TagA>(states: [Log()]), Log.Module()])
        }
    }

    @Test("inside a store, none is made, and the error says so")
    func insideStore() {
        let error = Relux.Store().lookNow { _ in
            #expect(throws: Relux.StoreError.self) { _ = try Relux.Store(modules: [Log.Module()]) }
        }

        #expect(error?.name == "insideStore")
    }
}
