import Relux
import TestFixtures
import Testing

@Suite("Callbacks that are awaited", .timeLimit(.minutes(10)))
struct AwaitedCallbacksTests {
    fileprivate typealias ViewCallback = Relux.UI.ViewCallback

    /// A store whose work waits at the gate.
    private func store(_ gate: Gate, _ done: Trace<String>) async throws -> Relux.Store {
        try await Relux.Store {
            WorkSaga { work, _ in
                await gate.pass()
                done.note(work.name)
            }.module()
        }
    }

    /// How a callback that sends is made.
    enum Form: CaseIterable, Sendable {
        case value, closure, capturing, mapped

        @MainActor
        fileprivate func callback(to dispatcher: Relux.Dispatcher) -> ViewCallback<Void> {
            switch self {
            case .value: ViewCallback(sending: Work(name: "refresh"), to: dispatcher)
            case .closure: ViewCallback(to: dispatcher, sending: { Work(name: "refresh") })
            case .capturing:
                ViewCallback(capturing: "refresh", to: dispatcher, sending: { name, _ in Work(name: name) })
            case .mapped: ViewCallback(to: dispatcher, sending: { Work(name: $0) }).map { "refresh" }
            }
        }
    }

    @Test(
        "pull to refresh: an awaited callback returns when what its action triggered has ended",
        arguments: Form.allCases)
    @MainActor
    func awaited(form: Form) async throws {
        let (gate, done) = (Gate(), Trace<String>())
        let store = try await store(gate, done)
        let refresh = form.callback(to: store.dispatcher)

        let spinner = Task {
            await refresh()
            done.note("spinner")
        }
        await gate.arrivals()
        gate.open()
        await spinner.value

        #expect(done.entries == ["refresh", "spinner"])
    }

    @Test("a task that is cancelled returns at once, and the run continues")
    @MainActor
    func cancelled() async throws {
        let (gate, done) = (Gate(), Trace<String>())
        let store = try await store(gate, done)
        let refresh = ViewCallback<Void>(sending: Work(name: "refresh"), to: store.dispatcher)
        let spinner = Task { await refresh() }
        await gate.arrivals()

        spinner.cancel()
        await spinner.value
        gate.open()
        try await store.idle()

        #expect(done.entries == ["refresh"])
    }
}
