import Relux
import Testing

/// What goes wrong with screens elsewhere, under a model of SwiftUI.
@Suite("Pitfalls of screens", .timeLimit(.minutes(10))) @MainActor
struct ScreenPitfallsTests {
    private typealias Action = Form.Action
    private typealias Element = ScreenModel.Element

    private let observer = TraceObserver()

    private func makeStore() throws -> Relux.Store {
        try Relux.Store(.init(observers: [observer]), modules: [Form.Module()])
    }

    private var actions: [Action] { observer.records.entries.compactMap { $0.action as? Action } }

    /// A screen with a text field.
    private func field(_ node: ScreenModel.Node) -> [Element] {
        let form = node.selected({ (form: Form) in form }, otherwise: Form())
        return [
            .field("title", form.binding(\.title, sending: Action.titleChanged)), .text("count \(form.value.count)"),
        ]
    }

    /// A screen with a sheet.
    private func sheet(_ node: ScreenModel.Node) -> [Element] {
        let form = node.selected({ (form: Form) in form.sheet }, otherwise: nil)
        let binding = form.binding(\.self) { shown, new in
            new == nil ? shown.map { Action.dismissed($0.id) } : nil
        }
        return [
            .sheet(
                "sheet", presented: form.value.map { "\($0.id) \($0.title)" }, dismiss: { binding.wrappedValue = nil })
        ]
    }

    @Test("the first frame has the store's values, also after the store has changed, come, or gone")
    func firstFrame() throws {
        let (one, other) = (try makeStore(), try makeStore())
        one.doNow(Action.titleChanged("one"))
        other.doNow(Action.titleChanged("other"))

        let screen = ScreenModel(one) { field($0) }
        screen.store = other
        screen.draw()
        screen.store = nil
        screen.draw()
        screen.store = one
        screen.draw()

        #expect(
            screen.frames == [
                ["title: ONE", "count 0"], ["title: OTHER", "count 0"], ["title: ", "count 0"],
                ["title: ONE", "count 0"],
            ]
        )
    }

    @Test("a stale echo while typing: no letter is lost, whatever is dispatched elsewhere in between")
    func staleEcho() async throws {
        let store = try makeStore()
        let screen = ScreenModel(store) { field($0) }

        for letter in ["A", "B", "C", "x", "y"] {
            let elsewhere = Task.detached { await store.dispatch(Action.counted) }
            screen.type(letter, into: "title")
            _ = await elsewhere.value
            screen.draw()
        }

        #expect(screen.frames.last == ["title: ABCXY", "count 5"])
        #expect(try store.lookNow(at: Form.self).title == "ABCXY")
    }

    @Test("a value that the reducer normalises back is shown as it is in the store")
    func normalisedBack() throws {
        let store = try makeStore()
        store.doNow(Action.titleChanged("A"))
        let screen = ScreenModel(store) { node in
            let form = node.selected({ (form: Form) in form }, otherwise: Form())
            // Everything that is typed becomes the first letter again.
            return [.field("title", form.binding(\.title) { _, new in Action.titleChanged(String(new.prefix(1))) })]
        }

        screen.type("b", into: "title")

        #expect(screen.draw() == ["title: A"])
    }

    @Test("a refused set doesn't stay in the field")
    func refusedSet() throws {
        let store = try makeStore()
        let screen = ScreenModel(store) { field($0) }

        screen.type("a", into: "title")
        screen.draw()
        screen.type("z", into: "title")
        screen.draw()
        screen.type("z", into: "title")

        #expect(screen.draw() == ["title: A", "count 0"])
    }

    @Test("a setter that is called twice dispatches once")
    func setTwice() throws {
        let store = try makeStore()
        let screen = ScreenModel(store) { node in
            let form = node.selected({ (form: Form) in form }, otherwise: Form())
            return [.field("title", form.binding(\.title, sending: Action.titleChanged))]
        }

        screen.type("A", into: "title")

        #expect(actions == [.titleChanged("A")])
    }

    @Test("a setter that is called a second late doesn't undo what has happened since")
    func setLate() async throws {
        let store = try makeStore()
        store.doNow(Action.presented(.init(id: 1)))
        let screen = ScreenModel(store) { sheet($0) }
        let late = screen.swipeDown("sheet")

        store.doNow(Action.dismissed(1))
        screen.draw()
        store.doNow(Action.presented(.init(id: 2)))
        screen.draw()
        late()

        #expect(screen.draw() == ["[2 ]"])
    }

    @Test("a write after the view is gone changes nothing, and fails nothing")
    func writeAfterTheEnd() async throws {
        let store = try makeStore()
        let screen = ScreenModel(store) { field($0) }
        screen.type("a", into: "title")

        await store.unregister(Form.Module.self)
        screen.remove()
        try await store.register(Form.Module())

        #expect(try store.lookNow(at: Form.self) == Form())
        let reasons = observer.refusals.entries.map(\.reason)
        #expect(reasons.count <= 1)
        for reason in reasons {
            guard case .lateBinding = reason else {
                Issue.record("\(reason)")
                return
            }
        }
    }

    @Test("an alert that is shown twice with equal content is dismissed once for each")
    func equalAlerts() throws {
        let store = try makeStore()
        let screen = ScreenModel(store) { sheet($0) }
        store.doNow(Action.presented(.init(id: 1, title: "offline")))
        screen.draw()
        let first = screen.swipeDown("sheet")
        store.doNow(Action.presented(.init(id: 2, title: "offline")))
        screen.draw()

        first()
        let afterFirst = screen.draw()
        screen.swipeDown("sheet")()

        #expect(afterFirst == ["[2 offline]"])
        #expect(screen.draw() == [])
    }

    @Test("a sheet that is replaced while it is being dismissed remains")
    func replacedSheet() throws {
        let store = try makeStore()
        store.doNow(Action.presented(.init(id: 1)))
        let screen = ScreenModel(store) { sheet($0) }
        let dismissal = screen.swipeDown("sheet")

        store.doNow(Action.presented(.init(id: 2)))
        dismissal()

        #expect(screen.draw() == ["[2 ]"])
        #expect(actions.last == .dismissed(1))
    }

    @Test("a reducer that ignores an action leaves the control as the store is")
    func ignored() throws {
        let store = try makeStore()
        let screen = ScreenModel(store) { node in
            let form = node.selected({ (form: Form) in form }, otherwise: Form())
            return [.field("title", form.binding(\.title) { _, _ in Action.ignored })]
        }

        screen.type("a", into: "title")

        #expect(screen.draw() == ["title: "])
    }

    @Test("an animation is that of exactly one action")
    func oneAnimation() async throws {
        let store = try makeStore()
        let screen = ScreenModel(store) { field($0) }
        let count = Relux.UI.ViewCallback(sending: Action.counted, to: store.dispatcher)

        count.fire()
        screen.draw()
        ScreenModel.withAnimation("spring") { count.fire() }
        screen.draw()
        await Task.detached { _ = await store.dispatch(Action.counted) }.value
        await Task.detached { @MainActor in }.value

        #expect(screen.animations == ["-", "spring", "-"])
    }

    @Test("apply animates what comes from elsewhere, and nothing else")
    func applied() async throws {
        let store = try makeStore()
        let screen = ScreenModel(store) { node in
            let form = node.selected({ (form: Form) in form.count }, otherwise: 0)
            form.apply = { change in ScreenModel.withAnimation("apply") { change() } }
            return [.text("\(form.value)")]
        }

        await Task.detached { _ = await store.dispatch(Action.counted) }.value
        await Task.detached { @MainActor in }.value
        screen.draw()
        store.doNow(Action.counted)

        #expect(screen.animations == ["apply", "-"])
    }

    @MainActor
    private final class Position {
        var index = 0
    }

    @Test("a selection that captures an id is made again when the id changes")
    func capturedID() throws {
        let store = try makeStore()
        store.doNow(Action.pathChanged([10, 20]))
        let position = Position()
        let screen = ScreenModel(store) { node in
            let captured = position.index
            let form = node.selected({ (form: Form) in form.path[captured] }, otherwise: 0, id: captured)
            return [.view("row", input: captured) { _ in [.text("\(form.value)")] }]
        }

        position.index = 1
        screen.store = store

        #expect(screen.draw() == ["20"])
    }

    @Test("a control's getter doesn't make its view follow the list, and equal rows aren't evaluated again")
    func evaluations() throws {
        let store = try makeStore()
        let screen = ScreenModel(store) { node in
            let form = node.selected({ (form: Form) in form.title }, otherwise: "")
            let binding = form.binding(\.self, sending: Action.titleChanged)
            return [
                .view("row", input: 1) { _ in [.text("row")] },
                .view("reader", input: 1) { _ in [.text(binding.wrappedValue)] },
            ]
        }

        store.doNow(Action.counted)
        screen.draw()
        store.doNow(Action.titleChanged("a"))
        screen.draw()

        #expect(screen.evaluations() == 2)
        #expect(screen.evaluations(of: "row") == 1)
        #expect(screen.evaluations(of: "reader") == 1)
    }

    @Test("the state of a view lives as long as its identity, and so do its tasks")
    func identity() async throws {
        let store = try makeStore()
        let ends = AsyncStream.makeStream(of: Void.self)
        let screen = ScreenModel(store) { node in
            let form = node.selected({ (form: Form) in form.isOn }, otherwise: false)
            guard !form.value else { return [] }
            return [
                .view("child", input: 1) { child in
                    let draft = child.state("draft") { Relux.UI.Draft("", commit: .noop) }
                    return [
                        .text(draft.value),
                        .task("work") {
                            try? await untilCancelled()
                            ends.continuation.yield()
                        },
                    ]
                }
            ]
        }

        store.doNow(Action.toggled(true))
        screen.draw()
        var iterator = ends.stream.makeAsyncIterator()
        await iterator.next()
        store.doNow(Action.toggled(false))
        screen.draw()

        #expect(screen.frames == [[""], [], [""]])
        screen.remove()
    }
}
