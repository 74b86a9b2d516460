import SampleDomain
import SampleServices

/// The list screen: the active items in their order, followed by the completed ones.
///
/// The view owns the cursor, because every key must find it where the previous key left it. The selection is part of
/// the props and owned by the domain. The two can't contradict each other, because neither is derived from the other:
/// the cursor moves freely, and every key that extends the selection names the first and the last item. Completing and
/// deleting apply to the selection if there is one, otherwise to the item under the cursor. A question holds the items
/// that it is about, and a yes applies only to them.
struct ItemsView: ScreenView {
    private enum Mode: Sendable {
        case browsing
        case adding(LineEditor, isAtTop: Bool)
        case renaming(Item.ID, LineEditor)
        case filtering(LineEditor)
        case deleting(Deletion)
        /// The profile has changed since the text was begun, and no key may act on a list that it wasn't meant for.
        case addingElsewhere(LineEditor, isAtTop: Bool)
        case renamingElsewhere(LineEditor)
        case movingHere(title: String, isAtTop: Bool)
    }

    /// The items that the user is being asked about, as they were at the time of the question.
    private enum Deletion: Sendable {
        case item(Item)
        case selected([Item])
        case completed([Item], hidden: Int)
        case everything([Item], hidden: Int)
    }

    var props: ItemsProps {
        didSet { follow(oldValue) }
    }
    let callbacks: ItemsCallbacks

    private var mode = Mode.browsing
    private var cursor = ListCursor<Item.ID>()
    /// The number of rows in the last picture, which is the size of a page.
    private var page = 1
    /// The title of the item that was last added here and hasn't appeared on the list yet.
    private var expectedTitle: String?

    init(props: ItemsProps = ItemsProps(), callbacks: ItemsCallbacks) {
        self.props = props
        self.callbacks = callbacks
        cursor.follow(count: props.list.count, props.list.id(at:))
    }

    /// The view after a change of profile. Questions are gone, and a text that is being written is kept.
    func anew() -> ItemsView {
        var view = ItemsView(props: props, callbacks: callbacks)
        switch mode {
        case .browsing, .deleting: break
        case .adding(let editor, let isAtTop), .addingElsewhere(let editor, let isAtTop):
            view.mode = .addingElsewhere(editor, isAtTop: isAtTop)
        case .movingHere(let title, let isAtTop):
            view.mode = .addingElsewhere(LineEditor(title), isAtTop: isAtTop)
        case .renaming(_, let editor), .renamingElsewhere(let editor): view.mode = .renamingElsewhere(editor)
        // The filter changes no list.
        case .filtering(let editor): view.mode = .filtering(editor)
        }
        return view
    }

    var prompt: Prompt? {
        switch mode {
        case .browsing: nil
        case .addingElsewhere(let editor, _): .text(label: Texts.newItemElsewhere, editor)
        case .renamingElsewhere(let editor): .text(label: Texts.newTitleElsewhere, editor)
        case .movingHere(let title, _): .question(Texts.reallyAddHere(title))
        case .adding(let editor, _): .text(label: Texts.newItem, editor)
        case .renaming(_, let editor): .text(label: Texts.newTitle, editor)
        case .filtering(let editor): .text(label: Texts.filter, editor)
        case .deleting(.item(let item)): .question(Texts.reallyDelete(item.title))
        case .deleting(.selected(let items)): .question(Texts.reallyDelete(selected: items.count))
        case .deleting(.completed(let items, let hidden)): .question(Texts.reallyClear(items.count, hidden: hidden))
        case .deleting(.everything(let items, let hidden)):
            .question(Texts.reallyDeleteAll(items.count, hidden: hidden))
        }
    }

    var hints: String {
        Texts.itemsHints(isFiltered: !props.filter.isEmpty, selected: props.selected.count)
    }

    mutating func handle(_ key: Key) -> Bool {
        switch mode {
        case .browsing: return browse(key)
        case .adding(var editor, let isAtTop):
            edit(&editor, key, { .adding($0, isAtTop: isAtTop) }) { $0.add($1, isAtTop: isAtTop) }
        case .addingElsewhere(var editor, let isAtTop):
            edit(&editor, key, { .addingElsewhere($0, isAtTop: isAtTop) }) { view, title in
                if !title.titleTrimmed.isEmpty { view.mode = .movingHere(title: title, isAtTop: isAtTop) }
            }
        case .renamingElsewhere(var editor): edit(&editor, key, { .renamingElsewhere($0) }) { _, _ in }
        case .movingHere(let title, let isAtTop):
            mode = .browsing
            if key.isYes { add(title, isAtTop: isAtTop) }
        case .renaming(let id, var editor):
            edit(&editor, key, { .renaming(id, $0) }) { view, title in
                view.callbacks.rename.fire(ItemsCallbacks.Renaming(id: id, title: title))
            }
        case .filtering(let editor): filter(editor, key)
        case .deleting(let deletion):
            mode = .browsing
            if key.isYes { delete(deletion) }
        }
        return true
    }

    private mutating func add(_ title: String, isAtTop: Bool) {
        expectedTitle = title.titleTrimmed
        callbacks.add.fire(ItemsCallbacks.Addition(title: title, isAtTop: isAtTop))
    }

    private mutating func delete(_ deletion: Deletion) {
        switch deletion {
        case .item(let item):
            stepAside()
            callbacks.delete.fire([item])
        case .selected(let items):
            stepAside()
            callbacks.delete.fire(items)
        case .completed(let items, _): callbacks.clear.fire(items)
        case .everything(let items, _): callbacks.delete.fire(items)
        }
    }

    private mutating func browse(_ key: Key) -> Bool {
        let list = props.list
        if list.count > 0, key == .shiftUp || key == .shiftDown {
            extend(by: key == .shiftUp ? -1 : 1)
            return true
        }
        if cursor.take(key, page: page, count: list.count, list.id(at:)) { return true }
        switch key {
        case .character("a"): mode = .adding(LineEditor(), isAtTop: false)
        case .character("A"): mode = .adding(LineEditor(), isAtTop: true)
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
            mode = .deleting(.completed(items, hidden: items.count - list.completed.count))
        case .character("D"):
            mode = .deleting(.everything(props.whole.all, hidden: props.whole.count - list.count))
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
        case .character("e"), .enter: mode = .renaming(item.id, LineEditor(item.title))
        case .character("x"): callbacks.toggle.fire(item.id)
        case .character("d"), .delete:
            let selected = props.selected.isEmpty ? [] : props.list.all.filter { props.selected.contains($0.id) }
            mode = .deleting(selected.isEmpty ? .item(item) : .selected(selected))
        case .character("J"): callbacks.moveDown.fire(item.id)
        case .character("K"): callbacks.moveUp.fire(item.id)
        default: return false
        }
        return true
    }

    private mutating func edit(
        _ editor: inout LineEditor, _ key: Key, _ goOn: (LineEditor) -> Mode,
        commit: (inout ItemsView, String) -> Void
    ) {
        switch editor.take(key) {
        case .nothing, .edited: mode = goOn(editor)
        case .cancelled: mode = .browsing
        case .committed:
            mode = .browsing
            commit(&self, editor.text)
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

    /// Moves the cursor to the next item in a direction and extends the selection to it.
    private mutating func extend(by distance: Int) {
        let list = props.list
        let start = list.id(at: cursor.index)
        cursor.go(to: cursor.index + distance, count: list.count, list.id(at:))
        callbacks.extend.fire(ItemsCallbacks.Range(start: start, end: list.id(at: cursor.index)))
    }

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

// MARK: - Drawing

extension ItemsView {
    mutating func draw(on canvas: inout Canvas, in area: Area) {
        page = area.height
        guard props.list.count > 0 else {
            canvas.write(emptiness, in: area, .faint)
            return
        }
        let rows = rowCount
        cursor.scroll(toSee: row(ofItem: cursor.index), height: area.height, of: rows)
        // Only the visible rows are drawn, however long the list is.
        for line in 0..<max(0, min(area.height, rows - cursor.firstRow)) {
            draw(row: cursor.firstRow + line, on: &canvas, in: area.line(line))
        }
    }

    private var emptiness: String {
        if props.whole.count > 0 { return Texts.nothingFound }
        if props.isLoaded { return Texts.emptyListOnScreen }
        return props.isLoading ? Texts.loading : ""
    }

    private enum Row {
        case toDo
        case done
        case item(Int)
    }

    /// The number of rows: a title for each part that isn't empty, and one row per item.
    private var rowCount: Int {
        let list = props.list
        return list.count + (list.active.isEmpty ? 0 : 1) + (list.completed.isEmpty ? 0 : 1)
    }

    private func row(ofItem index: Int) -> Int {
        let active = props.list.active.count
        return index < active || active == 0 ? index + 1 : index + 2
    }

    private func content(ofRow row: Int) -> Row {
        let active = props.list.active.count
        if active > 0, row == 0 { return .toDo }
        if active > 0, row <= active { return .item(row - 1) }
        let below = active > 0 ? row - active - 1 : row
        return below == 0 ? .done : .item(active + below - 1)
    }

    private func draw(row: Int, on canvas: inout Canvas, in line: Area) {
        let filtered = props.filter.isEmpty ? "" : Texts.filtered
        switch content(ofRow: row) {
        case .toDo: canvas.write(Texts.toDo(props.list.active.count) + filtered, in: line, .title)
        case .done: canvas.write(Texts.done(props.list.completed.count) + filtered, in: line, .title)
        case .item(let index): draw(item: index, on: &canvas, in: line)
        }
    }

    private func draw(item index: Int, on canvas: inout Canvas, in line: Area) {
        let item = props.list.item(at: index)
        let isHere = index == cursor.index
        let isSelected = props.selected.contains(item.id)
        let isDone = item.completed != nil
        let look = (isSelected ? Look.accent : isDone ? .faint : .plain).selected(isHere)
        canvas.paint(line, look)
        let marks = (isHere ? ">" : " ") + (isSelected ? Texts.selectedMark : " ")
        let rest = canvas.write(marks + (isDone ? "[x] " : "[ ] "), in: line, look)
        let isUnsaved = props.unsaved.contains(item.id)
        let mark = isUnsaved ? Texts.unsavedMark : ""
        let date = item.completed.map(Texts.day) ?? ""
        // The date is omitted if the title needs the space.
        let dateWidth = rest.width > 40 && !date.isEmpty ? date.columns + 1 : 0
        let title = Area(
            row: rest.row, column: rest.column, height: rest.height, width: rest.width - dateWidth - mark.columns)
        let end = canvas.write(item.title, in: title, look)
        let markArea = Area(row: rest.row, column: end.column, height: rest.height, width: mark.columns)
        canvas.write(mark, in: markArea, Look.failure.selected(isHere))
        if dateWidth > 0 { canvas.write(date, in: rest.columns(from: rest.width - dateWidth + 1), look) }
    }
}

extension Items.List {
    /// The item at an index among the active items, followed by the completed ones.
    fileprivate func item(at index: Int) -> Item {
        index < active.count ? active[index] : completed[index - active.count]
    }

    fileprivate func id(at index: Int) -> Item.ID { item(at: index).id }
}
