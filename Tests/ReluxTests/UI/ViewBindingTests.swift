import Relux
import Testing

@Suite("ViewBinding", .timeLimit(.minutes(10))) @MainActor
struct ViewBindingTests {
    private typealias Action = Form.Action

    private let observer = TraceObserver()

    private let store: Relux.Store
    private let state: Relux.UI.ViewState<Form>

    init() throws {
        store = try Relux.Store(.init(observers: [observer]), modules: [Form.Module()])
        state = try store.viewState(of: Form.self)
    }

    private func titleBinding(_ state: Relux.UI.ViewState<Form>) -> Relux.UI.ViewBinding<String> {
        state.binding(\.title, sending: Action.titleChanged)
    }

    /// The actions that were reduced.
    private var actions: [Action] { observer.records.entries.compactMap { $0.action as? Action } }

    @Test("when the setter returns, the getter gives what the reducer made of the value")
    func set() async throws {
        let binding = titleBinding(state)

        binding.wrappedValue = "a"
        let accepted = binding.wrappedValue
        binding.wrappedValue = "Az"
        let refused = binding.wrappedValue

        #expect(accepted == "A")
        #expect(refused == "A")
        #expect(actions == [.titleChanged("a"), .titleChanged("Az")])
    }

    @Test("setting the present value does nothing")
    func equal() async throws {
        let binding = state.binding(\.isOn, sending: Action.toggled)
        var changes = 0
        state.didChange = { _ in changes += 1 }

        binding.wrappedValue = true
        binding.wrappedValue = true

        #expect(actions == [.toggled(true)])
        #expect(changes == 1)
    }

    @Test("a captured value reaches the action, and another store or scope can receive it")
    func captured() async throws {
        let other = try Relux.Store(modules: [Form.Module()])
        let binding = state.binding(\.count, capturing: "x", to: other.dispatcher) { captured, shown, new in
            Action.titleChanged("\(captured) \(shown) \(new)")
        }

        binding.wrappedValue = 3

        #expect(try other.lookNow(at: Form.self).title == "X 0 3")
        #expect(try store.lookNow(at: Form.self) == Form())
    }

    @Test(
        "a set that leaves the value as it was calls the observers all the same, and later bindings differ",
        arguments: ["refused", "ignored", "normalised", "no action"])
    func refused(way: String) async throws {
        store.doNow(Action.titleChanged("a"))
        func make() -> Relux.UI.ViewBinding<String> {
            state.binding(\.title, capturing: way) { way, _, new -> Action? in
                switch way {
                case "no action": nil
                case "ignored": .ignored
                default: Action.titleChanged(new)
                }
            }
        }
        var calls: [String] = []
        let observed = Trace<String>()
        state.willChange = { calls.append("will \($0.title)") }
        state.didChange = { calls.append("did \($0.title)") }
        let observation = state.observe { old, new in calls.append("\(old.title) → \(new.title)") }
        beforeChange(of: state.value) { observed.note("onChange") }
        let before = make()
        let again = make()

        before.wrappedValue = way == "normalised" ? "a" : "az"
        let after = make()

        #expect(before == again)
        #expect(before != after)
        #expect(after == make())
        #expect(after.wrappedValue == "A")
        #expect(calls == ["will A", "did A", "A → A"])
        #expect(observed.entries == ["onChange"])
        withExtendedLifetime(observation) {}
    }

    @Test("during an update, the getter follows in the further round, and then it is decided whether a set was refused")
    func duringUpdate() async throws {
        let binding = titleBinding(state)
        var seen: [String] = []
        var isFirst = true
        state.didChange = { _ in
            seen.append("\(state.value.count) \(state.value.title) \(titleBinding(state) == binding)")
            guard isFirst else { return }
            isFirst = false
            binding.wrappedValue = "z"
            seen.append("set: \(titleBinding(state) == binding)")
        }

        store.doNow(Action.counted)

        #expect(seen == ["1  true", "set: true", "1  false"])
    }

    @Test("during an update, the last of several sets counts; if it sets what is shown, the update ends")
    func severalDuringUpdate() {
        let binding = state.binding(\.isOn, sending: Action.toggled)
        var changes = 0
        state.didChange = { _ in
            changes += 1
            for isOn in [true, false] { binding.wrappedValue = isOn }
        }

        store.doNow(Action.counted)

        #expect(actions == [.counted, .toggled(true), .toggled(false)])
        #expect(binding.wrappedValue == false)
        #expect(changes == 1)
    }

    @Test("the getter is not observed, and making a binding is")
    func observation() async throws {
        let binding = titleBinding(state)
        let (read, made) = (Trace<Int>(), Trace<Int>())

        beforeChange(of: binding.wrappedValue) { read.note(1) }
        beforeChange(of: titleBinding(state)) { made.note(1) }
        store.doNow(Action.counted)

        #expect(read.entries == [])
        #expect(made.entries == [1])
    }

    // MARK: Late sets

    @Test(
        "a set that comes after its state, its instance, or its store has gone changes nothing, and says that it is late",
        arguments: ["module", "instance", "reader", "shutdown", "other store"])
    func late(way: String) async throws {
        let other = try Relux.Store(modules: [Form.Module()])
        try await store.register(Form.Instance(id: 1))
        let title =
            switch way {
            case "instance": titleBinding(try store.scope(of: Form.Instance.self, id: 1).viewState(of: Form.self))
            case "reader":
                try store.viewState { $0[Form.self]?.title ?? "" }
                    .binding(\.self, to: other.dispatcher, sending: Action.titleChanged)
            case "other store": state.binding(\.title, to: other.dispatcher, sending: Action.titleChanged)
            default: titleBinding(state)
            }
        switch way {
        case "instance": await store.unregister(Form.Instance.self, id: 1)
        case "shutdown": await store.shutdown()
        default: await store.unregister(Form.Module.self)
        }

        title.wrappedValue = "late"

        #expect(title.wrappedValue == "")
        #expect(actions == [])
        #expect(try other.lookNow(at: Form.self) == Form())
        #expect(observer.reasons == ["lateBinding"])
        #expect(observer.refusals.entries.first?.action as? Action == .titleChanged("late"))
    }

    @Test("a set is not late if the selection reads nothing, in an instance as in the root", arguments: [false, true])
    func constant(inInstance: Bool) async throws {
        try await store.register(Form.Instance(id: 1))
        let state =
            inInstance
            ? try store.scope(of: Form.Instance.self, id: 1).viewState { _ in "" } : try store.viewState { _ in "" }

        state.binding(\.self, to: store.dispatcher, sending: Action.titleChanged).wrappedValue = "new"

        #expect(actions == [.titleChanged("new")])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("a set is not late if the selection reads only which instances there are, and there are none")
    func noInstances() throws {
        let state = try store.viewState { $0.states(of: Form.self, in: Form.Instance.self).isEmpty }

        state.binding(\.self, to: store.dispatcher, sending: Action.toggled).wrappedValue = false

        #expect(actions == [.toggled(false)])
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test("after the release of the store, a set does nothing")
    func released() async throws {
        var store: Relux.Store? = try Relux.Store(modules: [Form.Module()])
        let binding = titleBinding(try #require(store).viewState(of: Form.self))

        store = nil
        binding.wrappedValue = "late"

        #expect(binding.wrappedValue == "")
    }

    // MARK: Equality

    @Test("bindings of the same view state, path, line, captured value and store are equal while they show the same")
    func equality() async throws {
        let other = try store.viewState(of: Form.self)
        func capturing(_ id: Int, _ dispatcher: Relux.Dispatcher? = nil) -> Relux.UI.ViewBinding<String> {
            state.binding(\.title, capturing: id, to: dispatcher) { _, _, new in Action.titleChanged(new) }
        }
        func either(_ path: KeyPath<Form, Int> & Sendable) -> Relux.UI.ViewBinding<Int> {
            state.binding(path) { _, _ in Action.ignored }
        }
        let before = titleBinding(state)

        #expect(titleBinding(state) == before)
        #expect(titleBinding(state).hashValue == before.hashValue)
        #expect(titleBinding(state) != titleBinding(other))
        #expect(titleBinding(state) != state.binding(\.title, sending: Action.titleChanged))
        #expect(capturing(1) == capturing(1))
        #expect(capturing(1) != capturing(2))
        #expect(capturing(1) == capturing(1, store.dispatcher))
        #expect(capturing(1) != capturing(1, Relux.Store().dispatcher))
        #expect(either(\.count) == either(\.count))
        #expect(either(\.count) != either(\.path.count))
        store.doNow(Action.titleChanged("a"))
        #expect(titleBinding(state) != before)
    }

    @Test("a constant binding shows its value, and setting it does nothing")
    func constant() {
        let binding = Relux.UI.ViewBinding.constant(1)
        let draft = Relux.UI.Draft(binding)

        binding.wrappedValue = 2
        draft.value = 3
        draft.commit()

        #expect(binding.wrappedValue == 1)
        #expect(draft.value == 1)
        #expect(binding == .constant(1))
        #expect(binding != .constant(2))
    }

    @Test("a constant view state refuses each set, and is cut off, as those of a store are, if that has no end")
    func endlessConstant() {
        let constant = Relux.UI.ViewState(constant: Form())
        let own = titleBinding(constant)
        let binding = constant.binding(\.title, to: store.dispatcher, sending: Action.titleChanged)
        let draft = Relux.UI.Draft(binding)
        draft.value = "b"
        draft.commit()
        #expect(draft.value == "" && state.value.title == "B")
        var calls = 0
        constant.didChange = { _ in
            calls += 1
            own.wrappedValue = "a"
        }

        own.wrappedValue = "a"
        let callsOfOwn = calls
        binding.wrappedValue = "a"

        #expect(callsOfOwn == 1_001)
        #expect(own.wrappedValue == "")
        #expect(calls == 2_002)
        #expect(constant.value == Form())
        #expect(own != titleBinding(constant))
        #expect(observer.reasons == ["endlessUpdates"])
    }

    @Test(
        "inside a store, a set changes nothing, is reported, and is decided in the next turn", arguments: [false, true])
    func insideStore(isForOtherStore: Bool) async throws {
        let other = isForOtherStore ? try Relux.Store(modules: [Form.Module()]).dispatcher : nil
        let binding = state.binding(\.title, to: other, sending: Action.titleChanged)
        let draft = Relux.UI.Draft(binding)
        var calls = 0
        state.didChange = { _ in calls += 1 }

        draft.value = "a"
        store.lookNow { _ in draft.commit() }
        let before = calls
        await turn()

        #expect(binding.wrappedValue == "")
        #expect(draft.value == "a")
        #expect(before == 0)
        #expect(calls == 1)
        #expect(observer.refusals.entries.map(\.description).allSatisfy { $0.contains("synchronously inside a store") })
        #expect(observer.refusals.entries.count == 1)
    }
}
