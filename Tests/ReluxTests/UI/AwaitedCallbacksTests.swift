import Relux
import TestFixtures
import Testing

@Suite("Callbacks that are awaited", .timeLimit(.minutes(10))) @MainActor
struct AwaitedCallbacksTests {
    fileprivate typealias ViewCallback = Relux.UI.ViewCallback

    private let gate = Gate()
    private let done = Trace<String>()
    private let store: Relux.Store

    init() throws {
        let work = WorkSaga { [gate, done] work, _ in
            await gate.pass()
            done.note(work.name)
        }
        store = try Relux.Store(modules: [work.module()])
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
    func awaited(form: Form) async throws {
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
    func cancelled() async throws {
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
