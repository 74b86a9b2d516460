import Relux
import SampleDomain
import SampleServices

/// The list screen: the active items in their order, followed by the completed ones.
///
/// The view owns the cursor, because every key must find it where the previous key left it. The selection is part of
/// the props and owned by the domain. The two can't contradict each other, because neither is derived from the other:
/// the cursor moves freely, and every key that extends the selection names the first and the last item. Completing and
/// deleting apply to the selection if there is one, otherwise to the item under the cursor.
struct ItemsView: ScreenView {
    private enum Mode: Sendable {
        case browsing
        case writing(Draft<Purpose>)
        case filtering(LineEditor)
        case deleting(Deletion)
    }

    private enum Purpose: Sendable {
        case adding(isAtTop: Bool)
        case renaming(Item.ID)

        var isAdding: Bool { if case .adding = self { true } else { false } }
    }

    /// A question about items, as they were when it was asked. A yes applies only to them.
    private struct Deletion: Sendable {
        let items: [Item]
        let question: String
        let callback: Relux.UI.ViewCallback<[Item]>
    }

    var props: ItemsProps {
        didSet { follow(oldValue) }
    }
    let callbacks: ItemsCallbacks
    var cursor = ListCursor<Item.ID>()
    /// The number of rows in the last picture, which is the size of a page.
    var page = 1
    private var mode = Mode.browsing
    /// The item that was added here and hasn't appeared on the list yet.
    private var expected: Item.ID?

    init(props: ItemsProps = ItemsProps(), callbacks: ItemsCallbacks) {
        self.props = props
        self.callbacks = callbacks
        cursor.follow(count: props.list.count, props.list.id(at:))
    }

    /// Moves the cursor to an item as soon as it is on the list, unless the filter hides it.
    mutating func moveCursor(to id: Item.ID) {
        expected = id
        findExpected()
    }

    var prompt: Prompt? {
        switch mode {
        case .browsing: nil
        case .filtering(let editor): .text(label: Texts.filter, editor)
        case .deleting(let deletion): .question(deletion.question)
        case .writing(let draft): draft.prompt(draft.purpose.isAdding ? Texts.newItem : Texts.newTitle)
        }
    }

    var hints: String {
        Texts.itemsHints(isFiltered: !props.filter.isEmpty, selected: props.selected.count)
    }

    mutating func handle(_ key: Key) -> Bool {
        switch mode {
        case .browsing: return browse(key)
        case .writing(let draft): write(draft, key)
        case .filtering(let editor): filter(editor, key)
        case .deleting(let deletion):
            mode = .browsing
            guard key.isYes else { break }
            stepAside(from: Set(deletion.items.map(\.id)))
            deletion.callback.fire(deletion.items)
        }
        return true
    }

    // MARK: Browsing

    private mutating func browse(_ key: Key) -> Bool {
        let list = props.list
        if list.count > 0, key == .shiftUp || key == .shiftDown {
            extend(by: key == .shiftUp ? -1 : 1)
            return true
        }
        if cursor.take(key, page: page, count: list.count, list.id(at:)) { return true }
        switch key {
        case .character("a"): mode = .writing(Draft(.adding(isAtTop: false)))
        case .character("A"): mode = .writing(Draft(.adding(isAtTop: true)))
        case .character("/"): mode = .filtering(LineEditor(props.filter))
        case .escape where !props.selected.isEmpty: callbacks.selectNone.fire()
        case .escape where !props.filter.isEmpty: callbacks.narrow.fire("")
        case .character("u"): callbacks.undo.fire()
        case .character("U"), .control("r"): callbacks.redo.fire()
        case .character("C"):
            sweep(.completed, props.whole.completed, shown: list.completed.count, callbacks.clear)
        case .character("D"): sweep(.all, props.whole.all, shown: list.count, callbacks.delete)
        default: return list.count > 0 && browse(key, on: list.item(at: cursor.index))
        }
        return true
    }

    private mutating func sweep(
        _ sweep: Sweep, _ items: [Item], shown: Int, _ callback: Relux.UI.ViewCallback<[Item]>
    ) {
        // If there is nothing to delete, the callback is fired without a question, and that is reported.
        if items.isEmpty { return callback.fire(items) }
        let question = "\(Texts.question(sweep, items.count, hidden: items.count - shown)) y/n"
        mode = .deleting(Deletion(items: items, question: question, callback: callback))
    }

    private mutating func browse(_ key: Key, on item: Item) -> Bool {
        switch key {
        case .character(" "):
            // Selected items take the cursor along if it is on one of them.
            if props.selected.isEmpty { stepAside(from: [item.id]) }
            callbacks.turn.fire(item.id)
        case .character("e"), .enter: mode = .writing(Draft(.renaming(item.id), item.title))
        case .character("x"): callbacks.toggle.fire(item.id)
        case .character("d"), .delete:
            let selected = props.selected.isEmpty ? [] : props.list.all.filter { props.selected.contains($0.id) }
            let question =
                selected.isEmpty ? Texts.reallyDelete(item.title) : Texts.reallyDelete(selected: selected.count)
            let items = selected.isEmpty ? [item] : selected
            mode = .deleting(Deletion(items: items, question: question, callback: callbacks.delete))
        case .character("J"): callbacks.moveDown.fire(item.id)
        case .character("K"): callbacks.moveUp.fire(item.id)
        default: return false
        }
        return true
    }

    /// Moves the cursor to the next item in a direction and extends the selection to it.
    private mutating func extend(by distance: Int) {
        let list = props.list
        let start = list.id(at: cursor.index)
        cursor.go(to: cursor.index + distance, count: list.count, list.id(at:))
        callbacks.extend.fire(start, list.id(at: cursor.index))
    }

    // MARK: Writing

    private mutating func write(_ draft: Draft<Purpose>, _ key: Key) {
        var draft = draft
        // There is no item on another list that a new title could be for.
        let outcome = draft.take(key) { [draft] title in draft.purpose.isAdding && !title.titleTrimmed.isEmpty }
        mode = .browsing
        switch (outcome, draft.purpose) {
        case (.goesOn, _): mode = .writing(draft)
        case (.dropped, _): break
        case (.committed(let title), .adding(let isAtTop)): callbacks.add.fire(title, isAtTop)
        case (.committed(let title), .renaming(let id)): callbacks.rename.fire(id, title)
        }
    }

    private mutating func filter(_ editor: LineEditor, _ key: Key) {
        var editor = editor
        switch editor.take(key) {
        case .nothing: break
        case .edited:
            mode = .filtering(editor)
            callbacks.narrow.fire(editor.text)
        case .committed: mode = .browsing
        case .cancelled:
            mode = .browsing
            callbacks.narrow.fire("")
        }
    }

    // MARK: Following the props

    private mutating func follow(_ former: ItemsProps) {
        if former.standing != .unknown, former.standing != props.standing { followProfileChange() }
        cursor.follow(count: props.list.count, props.list.id(at:))
        findExpected()
    }

    /// Drops what was begun with another profile's list. A text that is being written is kept, because the rest of its
    /// keys would otherwise be commands.
    private mutating func followProfileChange() {
        cursor = ListCursor()
        expected = nil
        switch mode {
        // The filter changes no list.
        case .browsing, .filtering: break
        case .deleting: mode = .browsing
        case .writing(let draft): mode = .writing(draft.afterProfileChange())
        }
    }

    private mutating func findExpected() {
        guard let id = expected, props.whole.active.contains(where: { $0.id == id }) else { return }
        expected = nil
        guard let index = props.list.active.firstIndex(where: { $0.id == id }) else { return }
        cursor.go(to: index, count: props.list.count, props.list.id(at:))
    }

    /// Moves the cursor to a neighbour of items that are about to move or disappear, so that it stays in place.
    private mutating func stepAside(from items: Set<Item.ID>) {
        let (list, here) = (props.list, cursor.index)
        guard here < list.count, items.contains(list.id(at: here)) else { return }
        let part = here < list.active.count ? 0..<list.active.count : list.active.count..<list.count
        let stays = { (index: Int) in !items.contains(list.id(at: index)) }
        let neighbour = part[(here + 1)...].first(where: stays) ?? part[..<here].last(where: stays)
        if let neighbour { cursor.go(to: neighbour, count: list.count, list.id(at:)) }
    }
}
