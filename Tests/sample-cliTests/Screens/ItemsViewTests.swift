import Foundation
import Relux
import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

/// The list screen, without a terminal and without a store.
@Suite struct ItemsViewTests {
    private func props(
        _ items: [Item], filter: String = "", unsaved: Set<Item.ID> = [], selected: Set<Item.ID> = [], hidden: Int = 0
    ) -> ItemsProps {
        let others = (0..<hidden).map { Item.sample(90 + $0, completed: 1) }
        return ItemsProps(
            list: Items.List(items), unsaved: unsaved, selected: selected, whole: Items.List(items + others),
            filter: filter, isLoaded: true)
    }

    private func lines(_ view: inout ItemsView, rows: Int = 8, columns: Int = 30) -> [String] {
        let size = TerminalSize(rows: rows, columns: columns)
        return view.lines(size).seen(on: size)
    }

    @Test func `active items are above completed ones, and unsaved ones are marked`() {
        let items = [Item.sample(1, title: "Milk"), .sample(2, title: "Tea"), .sample(3, title: "Old", completed: 1)]
        var view = ItemsView(props: props(items, unsaved: [.sample(2)]), callbacks: ItemsCallbacks())

        #expect(
            lines(&view) == [
                "To do (2)", "> [ ] Milk", "  [ ] Tea *", "Done (1)", "  [x] Old", "", "", "",
            ])
    }

    @Test func `if there is only one part, only that has a title`() {
        var active = ItemsView(props: props([.sample(1)]), callbacks: ItemsCallbacks())
        var completed = ItemsView(props: props([.sample(1, completed: 1)]), callbacks: ItemsCallbacks())

        #expect(lines(&active, rows: 3) == ["To do (1)", "> [ ] Item 1", ""])
        #expect(lines(&completed, rows: 3) == ["Done (1)", "> [x] Item 1", ""])
    }

    @Test func `an empty list says why it is empty`() {
        var unknown = ItemsView(callbacks: ItemsCallbacks())
        var loading = ItemsView(props: ItemsProps(isLoading: true), callbacks: ItemsCallbacks())
        var empty = ItemsView(props: props([]), callbacks: ItemsCallbacks())
        let hidden = ItemsProps(whole: Items.List([.sample(1)]), filter: "x", isLoaded: true)
        var filtered = ItemsView(props: hidden, callbacks: ItemsCallbacks())

        #expect(lines(&unknown, rows: 1) == [""])
        #expect(lines(&loading, rows: 1) == ["Loading."])
        #expect(lines(&empty, rows: 1, columns: 80) == ["There is nothing on the list: a adds an item."])
        #expect(lines(&filtered, rows: 1, columns: 80) == ["Nothing on the list has these words."])
    }

    @Test func `the cursor moves through both parts, and the rows follow it`() {
        var view = ItemsView(
            props: props([.sample(1), .sample(2), .sample(3, completed: 2), .sample(4, completed: 1)]),
            callbacks: ItemsCallbacks()
        )
        _ = lines(&view, rows: 3)

        for _ in 0..<3 { _ = view.handle(.down) }
        let end = lines(&view, rows: 3)
        for _ in 0..<3 { _ = view.handle(.up) }

        #expect(end == ["Done (2)", "  [x] Item 3", "> [x] Item 4"])
        #expect(lines(&view, rows: 3) == ["To do (2)", "> [ ] Item 1", "  [ ] Item 2"])
    }

    @Test func `keys fire their callbacks with the item under the cursor`() async {
        let calls = Calls()
        var view = ItemsView(
            props: props([.sample(1), .sample(2), .sample(3, completed: 1)]), callbacks: calls.callbacks)

        let keys: [Key] = [
            .down, .character("J"), .character("K"), .character("u"), .character("U"), .control("r"), .character("d"),
            .character("n"), .character("d"), .character("y"), .end, .character(" "),
        ]
        let meanings = keys.map { view.handle($0) }

        #expect(await calls.first(7) == ["down 2", "up 2", "undo", "redo", "redo", "delete 2", "turn 3"])
        #expect(!meanings.contains(false))
    }

    @Test func `a title is typed, and sent when it is complete`() async {
        let calls = Calls()
        var view = ItemsView(props: props([.sample(1)]), callbacks: calls.callbacks)

        for key: Key in [.character("a"), .character("d"), .character("q"), .enter] { _ = view.handle(key) }
        for key: Key in [.character("A"), .character("x"), .enter] { _ = view.handle(key) }
        for key: Key in [.character("a"), .character("x"), .escape] { _ = view.handle(key) }
        for key: Key in [.character("e"), .character("!"), .enter] { _ = view.handle(key) }

        #expect(await calls.first(3) == ["add dq", "add x at the top", "rename 1 Item 1!"])
        #expect(view.prompt == nil)
    }

    @Test func `a filter is sent at every keystroke, and escape clears it`() async {
        let calls = Calls()
        var view = ItemsView(props: props([.sample(1)]), callbacks: calls.callbacks)

        for key: Key in [.character("/"), .character("a"), .character("b"), .enter] { _ = view.handle(key) }
        view.props.filter = "ab"
        let isFiltered = view.prompt == nil
        for key: Key in [.character("/"), .backspace, .escape] { _ = view.handle(key) }

        #expect(isFiltered)
        #expect(await calls.first(4) == ["narrow a", "narrow ab", "narrow a", "narrow "])
    }

    @Test func `the cursor stays in place when its item moves to the other part`() {
        var view = ItemsView(props: props([.sample(1), .sample(2), .sample(3)]), callbacks: ItemsCallbacks())

        _ = view.handle(.character(" "))
        view.props = props([.sample(1, completed: 9), .sample(2), .sample(3)])

        #expect(lines(&view, rows: 5) == ["To do (2)", "> [ ] Item 2", "  [ ] Item 3", "Done (1)", "  [x] Item 1"])
    }

    @Test func `the cursor moves to an item that was added here, and not to those of others`() {
        var view = ItemsView(props: props([.sample(1)]), callbacks: ItemsCallbacks())

        view.props = props([.sample(1), .sample(2)])
        let others = lines(&view, rows: 3)
        view.moveCursor(to: .sample(3))
        view.props = props([.sample(1), .sample(2), .sample(3)])
        let own = lines(&view, rows: 4)
        view.props = props([.sample(1), .sample(2), .sample(3), .sample(4)])
        view.moveCursor(to: .sample(4))

        #expect(others == ["To do (2)", "> [ ] Item 1", "  [ ] Item 2"])
        #expect(own.last == "> [ ] Item 3")
        #expect(lines(&view, rows: 5).last == "> [ ] Item 4")
    }

    @Test func `an item that was added here and is hidden by the filter never moves the cursor`() {
        var view = ItemsView(props: props([.sample(1), .sample(2)]), callbacks: ItemsCallbacks())

        view.moveCursor(to: .sample(3))
        view.props.whole = Items.List([.sample(1), .sample(2), .sample(3)])
        view.props.list = view.props.whole

        #expect(lines(&view, rows: 4) == ["To do (3)", "> [ ] Item 1", "  [ ] Item 2", "  [ ] Item 3"])
    }

    @Test func `selected items are marked, and the hints say how many there are`() {
        let items = [Item.sample(1), .sample(2), .sample(3, completed: 1)]
        var view = ItemsView(props: props(items, selected: [.sample(1), .sample(3)]), callbacks: ItemsCallbacks())

        #expect(lines(&view, rows: 5) == ["To do (2)", ">+[ ] Item 1", "  [ ] Item 2", "Done (1)", " +[x] Item 3"])
        #expect(view.hints.hasPrefix("2 selected"))
    }

    @Test func `keys select from the cursor, and escape clears the selection before the filter`() async {
        let calls = Calls()
        let items = [Item.sample(1), .sample(2), .sample(3, completed: 1)]
        var view = ItemsView(props: props(items, filter: "i"), callbacks: calls.callbacks)

        for key: Key in [.shiftDown, .shiftDown, .shiftDown, .shiftUp, .character("x")] { _ = view.handle(key) }
        view.props = props(items, filter: "i", selected: [.sample(2)])
        for key: Key in [.escape, .character("d"), .character("y")] { _ = view.handle(key) }
        view.props = props(items, filter: "i")
        _ = view.handle(.escape)

        #expect(
            await calls.first(8) == [
                "extend 1 to 2", "extend 2 to 3", "extend 3 to 3", "extend 3 to 2", "toggle 2", "select none",
                "delete 2", "narrow ",
            ])
    }

    @Test func `questions say how many items they are about, and apply only to those`() async {
        let calls = Calls()
        let items = [Item.sample(1), .sample(2), .sample(3, completed: 1)]
        var view = ItemsView(props: props(items, selected: [.sample(1), .sample(2)]), callbacks: calls.callbacks)
        var questions: [Prompt?] = []

        for key: Key in [.character("d"), .character("C"), .character("D")] {
            _ = view.handle(key)
            questions.append(view.prompt)
            _ = view.handle(.character("n"))
        }
        view.props = props(items, hidden: 2)
        for key: Key in [.character("C"), .character("D"), .character("d")] {
            _ = view.handle(key)
            questions.append(view.prompt)
            // The new item arrives too late for the question.
            view.props = props(items + [.sample(4, completed: 4)], selected: [.sample(2)], hidden: 3)
            _ = view.handle(.character("y"))
            view.props = props(items, hidden: 2)
        }

        #expect(
            questions == [
                .question("Delete the 2 selected items? y/n"), .question("Delete the completed item? y/n"),
                .question("Delete all 3 items? y/n"),
                .question("Delete all 3 completed items, 2 of them not shown now? y/n"),
                .question("Delete all 5 items, 2 of them not shown now? y/n"), .question("Delete? y/n  Item 1"),
            ])
        #expect(await calls.first(3) == ["clear 3 90 91", "delete 1 2 3 90 91", "delete 1"])
    }

    @Test func `if there is nothing to clear, no question is asked`() async {
        let calls = Calls()
        var view = ItemsView(props: props([]), callbacks: calls.callbacks)

        for key: Key in [.character("C"), .character("D")] { _ = view.handle(key) }

        #expect(view.prompt == nil)
        #expect(await calls.first(2) == ["clear", "delete"])
    }

    @Test func `the cursor moves to a remaining item when the selection around it is deleted`() {
        let items = (1...5).map { Item.sample($0) }
        var view = ItemsView(props: props(items, selected: [.sample(2), .sample(3)]), callbacks: ItemsCallbacks())

        for key: Key in [.down, .character("d"), .character("y")] { _ = view.handle(key) }
        view.props = props([.sample(1), .sample(4), .sample(5)])

        #expect(lines(&view, rows: 4) == ["To do (3)", "  [ ] Item 1", "> [ ] Item 4", "  [ ] Item 5"])
    }

    @Test func `only the visible part of a long list is drawn, and keys copy none of it`() {
        let items = (1...10_000).map { Item.sample($0) }
        var view = ItemsView(props: props(items), callbacks: ItemsCallbacks())

        for _ in 0..<2_000 {
            _ = view.handle(.down)
            _ = lines(&view, rows: 3)
        }
        _ = view.handle(.end)

        #expect(lines(&view, rows: 2) == ["  [ ] Item 9999", "> [ ] Item 10000"])
    }

    @Test(arguments: [(1, 1), (1, 3), (2, 2), (3, 1), (5, 20)])
    func `it can be drawn on the smallest terminals`(rows: Int, columns: Int) {
        let items = [Item.sample(1, title: "牛乳を買う"), .sample(2, completed: 1)]
        var view = ItemsView(props: props(items, unsaved: [.sample(1)]), callbacks: ItemsCallbacks())
        for key: Key in [.down, .pageDown, .character("d"), .escape, .character("a"), .character("牛"), .escape] {
            _ = view.handle(key)
            #expect(lines(&view, rows: rows, columns: columns).allSatisfy { $0.columns <= columns })
        }
    }
}

/// The callbacks that were fired, in order.
private final class Calls: Sendable {
    private let stream: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: String.self)
    }

    /// The first calls, as soon as there are this many.
    func first(_ count: Int) async -> [String] {
        var calls: [String] = []
        for await call in stream {
            calls.append(call)
            if calls.count == count { break }
        }
        return calls
    }

    private static func number(_ id: Item.ID) -> String { String(id.uuid.0) }

    var callbacks: ItemsCallbacks {
        let continuation = continuation
        let note: @Sendable (String) -> Void = { continuation.yield($0) }
        return ItemsCallbacks(
            add: .init { note("add \($0)\($1 ? " at the top" : "")") },
            rename: .init { note("rename \(Self.number($0)) \($1)") },
            turn: .init { note("turn \(Self.number($0))") },
            delete: .init { note((["delete"] + $0.map { Self.number($0.id) }).joined(separator: " ")) },
            clear: .init { note((["clear"] + $0.map { Self.number($0.id) }).joined(separator: " ")) },
            toggle: .init { note("toggle \(Self.number($0))") },
            extend: .init { note("extend \(Self.number($0)) to \(Self.number($1))") },
            selectNone: .init { note("select none") },
            moveUp: .init { note("up \(Self.number($0))") },
            moveDown: .init { note("down \(Self.number($0))") },
            undo: .init { note("undo") },
            redo: .init { note("redo") },
            narrow: .init { note("narrow \($0)") }
        )
    }
}
