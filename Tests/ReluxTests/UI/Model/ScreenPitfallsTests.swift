import Relux
import Testing

/// What goes wrong with screens elsewhere, under a model of SwiftUI.
@Suite("Pitfalls of screens", .timeLimit(.minutes(10))) @MainActor
struct ScreenPitfallsTests {
    private typealias Action = Form.Action
    private typealias Element = ScreenModel.Element

    private let observer = TraceObserver()
    private let store: Relux.Store

    init() throws {
        store = try Relux.Store(.init(observers: [observer]), modules: [Form.Module()])
    }

    private var actions: [Action] { observer.records.entries.compactMap { $0.action as? Action } }

    /// A screen with a text field.
    private func field(_ screen: ScreenModel) -> [Element] {
        let form = screen.selected({ (form: Form) in form }, otherwise: Form())
        return [
            .field("title", form.binding(\.title, sending: Action.titleChanged)), .text("count \(form.value.count)"),
        ]
    }

    /// A screen with a sheet.
    private func sheet(_ screen: ScreenModel) -> [Element] {
        let form = screen.selected({ (form: Form) in form.sheet }, otherwise: nil)
        let binding = form.binding(\.self) { shown, new in
            new == nil ? shown.map { Action.dismissed($0.id) } : nil
        }
        return [
            .sheet(
                "sheet", presented: form.value.map { "\($0.id) \($0.title)" }, dismiss: { binding.wrappedValue = nil })
        ]
    }

    @Test("a stale echo while typing: no letter is lost, whatever is dispatched elsewhere in between")
    func staleEcho() async throws {
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

    @Test(
        "a set that leaves the value as it was doesn't stay in the field, however often it is made",
        arguments: ["refused", "ignored", "normalised"])
    func unchanged(way: String) {
        store.doNow(Action.titleChanged("A"))
        let screen = ScreenModel(store) { screen in
            let form = screen.selected({ (form: Form) in form }, otherwise: Form())
            let binding = form.binding(\.title) { _, new -> Action in
                switch way {
                case "ignored": .ignored
                // Everything that is typed becomes the first letter again.
                case "normalised": .titleChanged(String(new.prefix(1)))
                default: .titleChanged(new)
                }
            }
            return [.field("title", binding)]
        }

        for _ in 1...2 {
            screen.type("z", into: "title")
            #expect(screen.draw() == ["title: A"])
        }
    }

    @Test(
        "a dismissal that ends late leaves the next sheet alone, even one that looks the same",
        arguments: ["", "offline"], [true, false])
    func lateDismissal(title: String, isClosedBefore: Bool) {
        store.doNow(Action.presented(.init(id: 1, title: title)))
        let screen = ScreenModel(store) { sheet($0) }
        let late = screen.swipeDown("sheet")

        if isClosedBefore { store.doNow(Action.dismissed(1)) }
        screen.draw()
        store.doNow(Action.presented(.init(id: 2, title: title)))
        late()
        let afterLate = screen.draw()
        screen.swipeDown("sheet")()

        #expect(afterLate == ["[2 \(title)]"])
        #expect(screen.draw() == [])
        #expect(actions.suffix(2) == [.dismissed(1), .dismissed(2)])
    }

    @Test("an animation is that of exactly one action")
    func oneAnimation() async throws {
        let screen = ScreenModel(store) { field($0) }
        let count = Relux.UI.ViewCallback(sending: Action.counted, to: store.dispatcher)

        count.fire()
        screen.draw()
        ScreenModel.withAnimation("spring") { count.fire() }
        screen.draw()
        await Task.detached { _ = await store.dispatch(Action.counted) }.value
        await turn()

        #expect(screen.animations == ["-", "spring", "-"])
    }

    @Test("apply animates what comes from elsewhere, and nothing else")
    func applied() async throws {
        let screen = ScreenModel(store) { screen in
            let form = screen.selected({ (form: Form) in form.count }, otherwise: 0)
            form.apply = { change in ScreenModel.withAnimation("apply") { change() } }
            return [.text("\(form.value)")]
        }

        await Task.detached { _ = await store.dispatch(Action.counted) }.value
        await turn()
        screen.draw()
        store.doNow(Action.counted)

        #expect(screen.animations == ["apply", "-"])
    }
}
