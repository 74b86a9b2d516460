import Relux
import Testing

@Suite("Fired actions", .timeLimit(.minutes(10))) @MainActor
struct FiredActionsTests {
    private typealias ViewCallback = Relux.UI.ViewCallback

    private let observer = TraceObserver()

    private let store: Relux.Store
    private let adding: ViewCallback<String>

    init() throws {
        store = try Relux.Store(.init(observers: [observer]), modules: [Log.Module()])
        adding = ViewCallback<String>(to: store.dispatcher, sending: { Log.Action.add($0) })
    }

    @Test("on the main actor, the action has been reduced and is shown when fire returns")
    func reduced() async throws {
        let state = try store.viewState(of: Log.self) { $0.entries }
        let dispatcher = store.dispatcher

        ViewCallback(sending: Log.Action.add("value"), to: dispatcher).fire()
        ViewCallback<String>(to: dispatcher, sending: { entry in Log.Action.add(entry) }).fire("input")
        ViewCallback<Int>(capturing: "captured", to: dispatcher, sending: { Log.Action.add("\($0) \($1)") }).fire(1)
        ViewCallback(to: dispatcher, sending: { Log.Action.add("void") }).fire()
        ViewCallback<Void>(capturing: "captured", to: dispatcher, sending: { name, _ in Log.Action.add(name) }).fire()
        ViewCallback<String>(to: dispatcher, sending: { Log.Action.add($0) }).map { (number: Int) in "\(number)" }.fire(
            7)
        // As a toolkit stores it.
        let action: @MainActor () -> Void = ViewCallback(to: dispatcher, sending: { Log.Action.add("stored") }).fire
        action()

        #expect(state.value == ["value", "input", "captured 1", "void", "captured", "7", "stored"])
    }

    @Test("away from the main actor, it is sent")
    func elsewhere() async throws {

        await Task.detached { adding.fire("elsewhere") }.value
        let entries = try await store.state(of: Log.self).entries

        #expect(entries == ["elsewhere"])
    }

    @Test("inside a store, it is sent, and reduced afterwards")
    func insideStore() async throws {

        let inside = store.lookNow { reader in
            adding.fire("inside")
            return reader[Log.self]?.entries
        }

        #expect(inside == [])
        #expect(try store.lookNow(at: Log.self).entries == ["inside"])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("the record names the line on which the callback was created")
    func callSite() async throws {
        let (callback, line) = (
            ViewCallback<String>(to: store.dispatcher, sending: { Log.Action.add($0) }), UInt(#line)
        )

        callback.fire("a")

        #expect(observer.records.entries.map(\.callSite.line) == [line])
    }

    @Test("the call site, the store and what is captured identify a callback that makes an action")
    func identity() {
        let (one, other) = (Relux.Store(), Relux.Store())
        func callback(_ dispatcher: Relux.Dispatcher) -> ViewCallback<String> {
            ViewCallback(to: dispatcher, sending: { Log.Action.add($0) })
        }
        func capturing(_ id: Int) -> ViewCallback<String> {
            ViewCallback(capturing: id, to: one.dispatcher, sending: { id, text in Log.Action.add("\(id) \(text)") })
        }
        let elsewhere = ViewCallback<String>(to: one.dispatcher, sending: { Log.Action.add($0) })

        #expect(callback(one.dispatcher) == callback(one.dispatcher))
        #expect(callback(one.dispatcher) != callback(other.dispatcher))
        #expect(callback(one.dispatcher) != elsewhere)
        #expect(capturing(1) == capturing(1))
        #expect(capturing(1) != capturing(2))
    }

    @Test("a callback of no store does nothing, and nothing traps")
    func noStore() {
        ViewCallback<String>(to: .none, sending: { Log.Action.add($0) }).fire("a")
        ViewCallback<String>.noop.fire("a")
    }
}
