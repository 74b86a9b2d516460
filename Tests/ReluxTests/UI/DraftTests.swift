import Relux
import TestFixtures
import Testing

@Suite("Draft", .timeLimit(.minutes(10))) @MainActor
struct DraftTests {
    private typealias Draft = Relux.UI.Draft
    private typealias Action = Form.Action

    private let store: Relux.Store
    /// A draft that sends what is committed, and isn't told the answer.
    private let sending: Draft<String>

    init() throws {
        store = try Relux.Store(modules: [Form.Module()])
        sending = Draft("", commit: .init(to: store.dispatcher, sending: { Action.titleChanged($0) }))
    }

    @discardableResult
    private func edit(_ draft: Draft<String>, to value: String) -> String {
        draft.value = value
        draft.commit()
        return shows(draft)
    }

    private func shows(_ draft: Draft<String>) -> String {
        "\(draft.value), \(draft.isEdited ? "edited" : "equal"), \(draft.incoming ?? "-")"
    }

    @Test("a draft adopts the store's value; edited, it keeps it as incoming, unless it equals the base or the draft")
    func edited() {
        let draft = Draft("-", commit: .noop)

        draft.follow("a")
        #expect(shows(draft) == "a, equal, -")
        draft.value = "ab"
        draft.follow("x")
        #expect(shows(draft) == "ab, edited, x")
        draft.follow("a")
        #expect(shows(draft) == "ab, edited, -")
        draft.follow("ab")
        #expect(shows(draft) == "ab, equal, -")
        draft.value = "a"
        #expect(shows(draft) == "a, edited, -")
    }

    @Test("editing to the incoming value makes it the base")
    func editedToIncoming() {
        let draft = Draft("a", commit: .noop)
        draft.value = "x"
        draft.follow("xy")

        draft.value = "xy"

        #expect(shows(draft) == "xy, equal, -")
    }

    @Test("revert returns to what is incoming, or else to the base, and accept takes what is incoming")
    func revertAndAccept() {
        let draft = Draft("a", commit: .noop)

        draft.value = "b"
        draft.accept()
        #expect(shows(draft) == "b, edited, -")
        draft.revert()
        #expect(shows(draft) == "a, equal, -")
        draft.value = "b"
        draft.follow("x")
        draft.revert()
        #expect(shows(draft) == "x, equal, -")
        draft.value = "y"
        draft.follow("z")
        draft.accept()
        #expect(shows(draft) == "z, equal, -")
    }

    @Test("the draft of a binding adopts what the reducer made of the value, changed or not")
    func binding() throws {
        let draft = Draft(try store.viewState(of: Form.self).binding(\.title, sending: Action.titleChanged))

        #expect(edit(draft, to: "abc") == "ABC, equal, -")
        #expect(edit(draft, to: "z") == "ABC, equal, -")
    }

    @Test("a draft whose commit comes too late keeps its edit")
    func late() async throws {
        let draft = Draft(try store.viewState(of: Form.self).binding(\.title, sending: Action.titleChanged))
        await store.unregister(Form.Module.self)

        #expect(edit(draft, to: "abc") == "abc, edited, -")
    }

    @Test("during an update, the draft of a binding adopts the value when that has ended, unless it was edited since")
    func bindingDuringUpdate() async throws {
        let state = try store.viewState(of: Form.self)
        let drafts = (0..<2).map { _ in Draft(state.binding(\.title, sending: Action.titleChanged)) }
        var during: [String] = []
        var isFirst = true
        state.didChange = { _ in
            guard isFirst else { return }
            isFirst = false
            for draft in drafts { during.append(edit(draft, to: "abc")) }
            drafts[1].value = "later"
        }

        store.doNow(Action.counted)

        #expect(during == ["abc, edited, -", "abc, edited, -"])
        #expect(shows(drafts[0]) == "ABC, equal, -")
        #expect(shows(drafts[1]) == "later, edited, ABC")
    }

    @Test("after a commit that sends, a draft adopts what it is told next, unless it was edited in between")
    func callback() throws {
        let state = try store.viewState(of: Form.self, \.title)
        let observation = state.observe { _, new in sending.follow(new) }

        #expect(edit(sending, to: "abc") == "ABC, equal, -")
        #expect(edit(sending, to: "refused z") == "refused z, edited, -")
        sending.follow(state.value)
        #expect(shows(sending) == "ABC, equal, -")
        edit(sending, to: "refused z")
        sending.value = "edited"
        sending.follow(state.value)
        #expect(shows(sending) == "edited, edited, -")
        withExtendedLifetime(observation) {}
    }

    @Test("setting the same text again is no edit: the draft still adopts the answer to its commit")
    func setAgain() {
        edit(sending, to: "abc")

        sending.value = "abc"
        sending.follow("ABC")

        #expect(shows(sending) == "ABC, equal, -")
    }

    @Test("a draft that is told the base as an answer to its commit adopts it")
    func answeredByTheBase() async throws {
        let counting = Relux.Reducer(of: Form.self, on: Action.self) { form, action in
            if case .titleChanged = action { form.count += 1 }
        }
        try await store.register(Part<TagA>(reducers: [counting], dependencies: [Form.Module()]))
        store.doNow(Action.titleChanged("abc"))
        let state = try store.viewState(of: Form.self)
        let draft = Draft(
            state.value.title, commit: .init(to: store.dispatcher, sending: { Action.titleChanged($0) }))
        let observation = state.observe { _, new in draft.follow(new.title) }

        #expect(edit(draft, to: "abc") == "ABC, equal, -")
        withExtendedLifetime(observation) {}
    }

    @Test("what came in before a commit isn't taken for its answer")
    func earlierIncoming() {
        sending.value = "abc"
        sending.follow("other")

        sending.commit()
        let committed = shows(sending)
        sending.follow("ABC")

        #expect(committed == "abc, edited, other")
        #expect(shows(sending) == "ABC, equal, -")
    }

    @Test("what an earlier commit has made of the value doesn't displace what was committed after it")
    func twoCommits() async throws {
        let gates = ["a": Gate(), "ab": Gate()]
        let ended = Trace<String>()
        let draft = Draft(
            "",
            commit: Relux.UI.ViewCallback<String>(to: .none) { value in
                await gates[value]?.pass()
                ended.note(value)
            })

        for value in ["a", "ab"] { edit(draft, to: value) }
        gates["a"]?.open()
        await ended.entries(atLeast: 1)
        draft.follow("a")
        draft.follow("ab")
        gates["ab"]?.open()
        await ended.entries(atLeast: 2)
        // What follows the end of the callback's body is executed on the main actor.
        for _ in 0..<3 { await Task { @MainActor in }.value }

        #expect(shows(draft) == "ab, equal, -")
    }

    @Test("until the body of a callback has ended, the old value doesn't displace what was committed")
    func callbackWithBody() async throws {
        let (gate, changed) = (Gate(), Gate())
        let dispatcher = store.dispatcher
        let draft = Draft(
            "",
            commit: .init(to: dispatcher) { title in
                await gate.pass()
                await dispatcher.dispatch(Action.titleChanged(title))
            })

        edit(draft, to: "abc")
        draft.follow("")
        let before = shows(draft)
        draft.follow("ABC")
        let incoming = shows(draft)
        beforeChange(of: draft.value) { changed.open() }
        gate.open()
        await changed.pass()

        #expect(before == "abc, edited, -")
        #expect(incoming == "abc, edited, ABC")
        #expect(shows(draft) == "ABC, equal, -")
    }

    @Test("until an action that was only sent has been reduced, the old value doesn't displace what was committed")
    func sentInsideStore() async throws {
        let changed = Gate()

        let before = store.lookNow { _ in
            edit(sending, to: "abc")
            sending.follow("")
            return shows(sending)
        }
        try #require(before == "abc, edited, -")
        sending.follow("ABC")
        beforeChange(of: sending.value) { changed.open() }
        await changed.pass()

        #expect(shows(sending) == "ABC, equal, -")
    }
}
