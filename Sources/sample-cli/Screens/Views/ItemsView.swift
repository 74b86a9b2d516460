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
    }

    /// A question about items, as they were when it was asked. A yes applies only to them.
    private struct Deletion: Sendable {
        enum Extent: Sendable {
            case some, completed, all
        }

        let items: [Item]
        let extent: Extent
        let question: String
    }

    var props: ItemsProps {
        didSet { follow(oldValue) }
    }
    let callbacks: ItemsCallbacks
    var cursor = ListCursor<Item.ID>()
    /// The number of rows in the last picture, which is the size of a page.
    var page = 1
    private var mode = Mode.browsing
    /// The title of the item that was last added here and hasn't appeared on the list yet.
    private var expectedTitle: String?

    init(props: ItemsProps = ItemsProps(), callbacks: ItemsCallbacks) {
        self.props = props
        self.callbacks = callbacks
        cursor.follow(count: props.list.count, props.list.id(at:))
    }

    /// The view after a change of profile. Questions are gone, and a text that is being written is kept.
    func afterProfileChange() -> ItemsView {
        var view = ItemsView(props: props, callbacks: callbacks)
        switch mode {
        case .browsing, .deleting: break
        case .writing(let draft): view.mode = .writing(draft.afterProfileChange())
        // The filter changes no list.
        case .filtering: view.mode = mode
        }
        return view
    }

    var prompt: Prompt? {
        switch mode {
        case .browsing: nil
        case .filtering(let editor): .text(label: Texts.filter, editor)
        case .deleting(let deletion): .question(deletion.question)
        case .writing(let draft):
            switch draft.purpose {
            case .adding:
                draft.prompt(Texts.newItem, elsewhere: Texts.newItemElsewhere, asking: Texts.reallyAddHere)
            case .renaming:
                draft.prompt(Texts.newTitle, elsewhere: Texts.newTitleElsewhere, asking: Texts.reallyAddHere)
            }
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
            if key.isYes { delete(deletion) }
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
        // If there is nothing to delete, the command runs without a question and reports that.
        case .character("C") where props.whole.completed.isEmpty: callbacks.clear.fire([])
        case .character("D") where props.whole.count == 0: callbacks.delete.fire([])
        case .character("C"):
            let items = props.whole.completed
            let question = Texts.reallyClear(items.count, hidden: items.count - list.completed.count)
            mode = .deleting(Deletion(items: items, extent: .completed, question: question))
        case .character("D"):
            let items = props.whole.all
            let question = Texts.reallyDeleteAll(items.count, hidden: items.count - list.count)
            mode = .deleting(Deletion(items: items, extent: .all, question: question))
        default: return list.count > 0 && browse(key, on: list.item(at: cursor.index))
        }
        return true
    }

    private mutating func browse(_ key: Key, on item: Item) -> Bool {
        switch key {
        case .character(" "):
            // Selected items take the cursor along if it is on one of them.
            if props.selected.isEmpty { stepAside() }
            callbacks.turn.fire(item.id)
        case .character("e"), .enter: mode = .writing(Draft(.renaming(item.id), item.title))
        case .character("x"): callbacks.toggle.fire(item.id)
        case .character("d"), .delete:
            let selected = props.selected.isEmpty ? [] : props.list.all.filter { props.selected.contains($0.id) }
            mode = .deleting(
                selected.isEmpty
                    ? Deletion(items: [item], extent: .some, question: Texts.reallyDelete(item.title))
                    : Deletion(
                        items: selected, extent: .some, question: Texts.reallyDelete(selected: selected.count)))
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
        callbacks.extend.fire(ItemsCallbacks.Range(start: start, end: list.id(at: cursor.index)))
    }

    // MARK: Prompts

    private mutating func write(_ draft: Draft<Purpose>, _ key: Key) {
        var draft = draft
        let isAdding = if case .adding = draft.purpose { true } else { false }
        // There is no item on another list that a new title could be for.
        let outcome = draft.take(key) { title in isAdding && !title.titleTrimmed.isEmpty }
        mode = .browsing
        switch (outcome, draft.purpose) {
        case (.goesOn, _): mode = .writing(draft)
        case (.dropped, _): break
        case (.committed(let title), .adding(let isAtTop)):
            expectedTitle = title.titleTrimmed
            callbacks.add.fire(ItemsCallbacks.Addition(title: title, isAtTop: isAtTop))
        case (.committed(let title), .renaming(let id)):
            callbacks.rename.fire(ItemsCallbacks.Renaming(id: id, title: title))
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

    private mutating func delete(_ deletion: Deletion) {
        if deletion.extent == .some { stepAside() }
        let callback = deletion.extent == .completed ? callbacks.clear : callbacks.delete
        callback.fire(deletion.items)
    }

    // MARK: The cursor

    /// Moves the cursor to a neighbour of the items that are about to move or disappear, so that it stays in place.
    private mutating func stepAside() {
        let (list, selected, here) = (props.list, props.selected, cursor.index)
        guard here < list.count, selected.isEmpty || selected.contains(list.id(at: here)) else { return }
        let part = here < list.active.count ? 0..<list.active.count : list.active.count..<list.count
        let stays = { (index: Int) in !selected.contains(list.id(at: index)) }
        let neighbour = part[(here + 1)...].first(where: stays) ?? part[..<here].last(where: stays)
        if let neighbour { cursor.go(to: neighbour, count: list.count, list.id(at:)) }
    }

    private mutating func follow(_ former: ItemsProps) {
        let list = props.list
        cursor.follow(count: list.count, list.id(at:))
        guard let expectedTitle else { return }
        // Items with the same title may be added elsewhere at any time. The expected item is one that wasn't on the
        // list before.
        let known = Set(former.whole.all.lazy.filter { $0.title == expectedTitle }.map(\.id))
        let isNew = { (item: Item) in item.title == expectedTitle && !known.contains(item.id) }
        guard let new = props.whole.active.first(where: isNew) else { return }
        self.expectedTitle = nil
        guard let index = list.active.firstIndex(where: { $0.id == new.id }) else { return }
        cursor.go(to: index, count: list.count, list.id(at:))
    }
}
