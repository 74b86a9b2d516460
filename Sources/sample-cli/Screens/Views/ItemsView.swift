import Relux
import SampleDomain
import SampleServices

/// The contents of the list screen.
struct ItemsProps: Relux.UI.ViewProps {
    /// Nil until the list has been loaded.
    var listing: Items.Listing?
    /// The profile whose list this is.
    var profile = Profile.guest
}

/// The callbacks of the list screen. Each action names the items that it concerns.
struct ItemsCallbacks: Relux.UI.ViewCallbacks {
    let change: Relux.UI.ViewCallback<Items.List.Action>
    let select: Relux.UI.ViewCallback<Items.Selection.Action>
    let undo: Relux.UI.ViewCallback<Void>
    let redo: Relux.UI.ViewCallback<Void>
    /// The text by which the list is filtered, bound letter by letter.
    let filter: Relux.UI.ViewBinding<String>

    init(to dispatcher: Relux.Dispatcher, filter: Relux.UI.ViewBinding<String>) {
        change = .init(to: dispatcher, sending: { $0 })
        select = .init(to: dispatcher, sending: { $0 })
        undo = .init(sending: Items.State.Action.undo, to: dispatcher)
        redo = .init(sending: Items.State.Action.redo, to: dispatcher)
        self.filter = filter
    }

    func add(at place: Items.List.Place) -> Relux.UI.ViewCallback<String> {
        change.map(capturing: place) { place, title in .added(Item(title), place) }
    }

    func rename(_ id: Item.ID) -> Relux.UI.ViewCallback<String> {
        change.map(capturing: id) { id, title in .renamed(id, title) }
    }
}

/// The list screen: the active items in their order, followed by the completed ones.
///
/// The view owns the cursor and the text that is being written. What is selected belongs to the domain. Commands
/// concern the selection if there is one, otherwise the item under the cursor.
@MainActor struct ItemsView: ScreenView {
    private enum Mode {
        case browsing
        case adding(TextField)
        case renaming(Item.ID, TextField)
        case filtering(LineEditor)
        /// A question about items, as they were when it was asked. A yes applies only to them, and if the question is
        /// about completed ones, only to those that still are.
        case deleting([Items.Listing.Row], onlyDone: Bool)
    }

    private(set) var props = ItemsProps()
    private var callbacks: ItemsCallbacks?
    private var cursor = ListCursor<Item.ID>()
    private var page = 1
    private var mode = Mode.browsing
    /// Whether an item has just been added here, which gets the cursor.
    private var isExpecting = false
    /// The text that was being written when the profile changed, or the item could no longer be changed.
    private var dropped: String?

    private var rows: [Items.Listing.Row] { props.listing?.rows ?? [] }

    mutating func fill(_ props: ItemsProps, _ callbacks: ItemsCallbacks?) {
        self.callbacks = callbacks
        guard props != self.props else { return }
        if props.profile != self.props.profile { endMode() }
        let known = Set(rows.map(\.id))
        self.props = props
        let rows = rows
        if isExpecting, let new = rows.firstIndex(where: { !known.contains($0.id) }) {
            cursor.go(to: new, count: rows.count) { rows[$0].id }
        }
        isExpecting = false
        cursor.follow(count: rows.count) { rows[$0].id }
        if case .renaming(let id, var field) = mode {
            if let row = rows.first(where: { $0.id == id }), !row.isDone {
                field.follow(row.title)
                mode = .renaming(id, field)
            } else {
                endMode()
            }
        }
    }

    /// The text that was being written and has no place any more, once.
    mutating func takeDropped() -> String? {
        defer { dropped = nil }
        return dropped
    }

    private mutating func endMode() {
        switch mode {
        case .adding(let field), .renaming(_, let field): dropped = field.unsaved
        case .browsing, .filtering, .deleting: break
        }
        mode = .browsing
    }

    var prompt: Prompt? {
        switch mode {
        case .browsing: nil
        case .adding(let field), .renaming(_, let field): field.prompt
        case .filtering(let editor): .text(label: Texts.filter, editor)
        case .deleting(let rows, _): .question(Texts.reallyDelete(rows))
        }
    }

    var hints: String {
        // Without a list, its keys do nothing.
        guard callbacks != nil else { return "" }
        return Texts.itemsHints(
            isFiltered: props.listing?.filter.isEmpty == false, selected: rows.count(where: \.isSelected))
    }

    mutating func handle(_ key: Key) -> Bool {
        switch mode {
        case .browsing: return browse(key)
        case .adding(var field):
            // A blank title adds nothing.
            isExpecting = key == .enter && field.unsaved?.contains { !$0.isWhitespace } == true
            if case .goesOn = field.take(key) { mode = .adding(field) } else { mode = .browsing }
        case .renaming(let id, var field):
            if case .goesOn = field.take(key) { mode = .renaming(id, field) } else { mode = .browsing }
        case .filtering(let editor): filter(editor, key)
        case .deleting(let asked, let onlyDone):
            mode = .browsing
            let reopened = onlyDone ? Set(rows.filter { !$0.isDone }.map(\.id)) : []
            let ids = asked.map(\.id).filter { !reopened.contains($0) }
            if key.isYes, !ids.isEmpty { fire(.deleted(ids)) }
        }
        return true
    }

    private mutating func filter(_ former: LineEditor, _ key: Key) {
        var editor = former
        switch editor.take(key) {
        case .nothing, .edited:
            mode = .filtering(editor)
            callbacks?.filter.wrappedValue = editor.text
        case .committed: mode = .browsing
        case .cancelled:
            mode = .browsing
            callbacks?.filter.wrappedValue = ""
        }
    }

    // MARK: Browsing

    private mutating func browse(_ key: Key) -> Bool {
        let rows = rows
        if key == .shiftUp || key == .shiftDown, let start = cursor.id, !rows.isEmpty {
            _ = cursor.take(key, page: page, count: rows.count) { rows[$0].id }
            if let end = cursor.id { callbacks?.select.fire(.extended([start, end])) }
            return true
        }
        if cursor.take(key, page: page, count: rows.count, { rows[$0].id }) { return true }
        guard let callbacks else { return false }
        switch key {
        case .character("a"): mode = .adding(TextField(Texts.newItem, commit: callbacks.add(at: .end)))
        case .character("A"): mode = .adding(TextField(Texts.newItem, commit: callbacks.add(at: .top)))
        case .character("/"): mode = .filtering(LineEditor(props.listing?.filter ?? ""))
        case .escape where rows.contains(where: \.isSelected): callbacks.select.fire(.cleared)
        case .escape: callbacks.filter.wrappedValue = ""
        case .character("u"): callbacks.undo.fire()
        case .character("U"): callbacks.redo.fire()
        case .character("C"): ask(rows.filter(\.isDone), onlyDone: true)
        case .character("D"): ask(rows)
        default: return rows.indices.contains(cursor.index) && browse(key, on: rows[cursor.index], callbacks)
        }
        return true
    }

    private mutating func browse(_ key: Key, on row: Items.Listing.Row, _ callbacks: ItemsCallbacks) -> Bool {
        let concerned = props.listing?.concerned(or: row.id) ?? []
        switch key {
        case .character(" "):
            let open = concerned.filter { !$0.isDone }.map(\.id)
            let isSelection = concerned.contains(where: \.isSelected)
            if isSelection { callbacks.select.fire(.cleared) } else { stepAside() }
            fire(open.isEmpty ? .reopened(concerned.map(\.id)) : .completed(open, .now))
        case .character("e"), .enter:
            if row.isDone { return false }
            mode = .renaming(
                row.id, TextField(Texts.newTitle, row.title, commit: callbacks.rename(row.id)))
        case .character("x"): callbacks.select.fire(.toggled(row.id))
        case .character("d"): ask(concerned)
        // Active items are numbered from 1, and their positions are counted from 0.
        case .character("J"): fire(.moved(row.id, to: row.number))
        case .character("K"): fire(.moved(row.id, to: row.number - 2))
        default: return false
        }
        return true
    }

    private mutating func ask(_ rows: [Items.Listing.Row], onlyDone: Bool = false) {
        if !rows.isEmpty { mode = .deleting(rows, onlyDone: onlyDone) }
    }

    private func fire(_ action: Items.List.Action) { callbacks?.change.fire(action) }

    /// Leaves an item that is about to move to another part of the list, so that the next key finds its neighbour.
    private mutating func stepAside() {
        let rows = rows
        let isDone = rows[cursor.index].isDone
        let neighbours = [cursor.index + 1, cursor.index - 1].filter { rows.indices.contains($0) }
        if let place = neighbours.first(where: { rows[$0].isDone == isDone }) {
            cursor.go(to: place, count: rows.count) { rows[$0].id }
        }
    }
}

// MARK: - Drawing

extension ItemsView {
    mutating func lines(_ size: TerminalSize) -> [Line] {
        page = size.rows
        guard let listing = props.listing else { return [Line(Texts.loading, .faint)] }
        guard !listing.rows.isEmpty else {
            return [Line(listing.hidden > 0 ? Texts.nothingFound : Texts.emptyListOnScreen, .faint)]
        }
        var lines: [Line] = []
        for (title, rows) in [(Texts.toDo, listing.active), (Texts.done, listing.completed)] where !rows.isEmpty {
            lines.append(Line(title(rows.count) + (listing.filter.isEmpty ? "" : Texts.filtered), .title))
            lines += rows.map { line(of: $0, width: size.columns) }
        }
        return cursor.visible(of: lines, height: size.rows)
    }

    private func line(of row: Items.Listing.Row, width: Int) -> Line {
        let isHere = row.id == cursor.id
        let look: Look = row.isSelected ? .accent : row.isDone ? .faint : .plain
        let marks = (isHere ? ">" : " ") + (row.isSelected ? Texts.selectedMark : " ")
        var line = Line(marks + (row.isDone ? "[x] " : "[ ] "), look, isSelected: isHere)
        // The details are omitted if the title needs the space, and never take more than half of it.
        let room = width - line.columns
        let details = room > 40 && !row.details.isEmpty ? " " + row.details.fitted(to: room / 2) : ""
        let title = row.title.fitted(to: room - details.columns)
        line.append(title, look)
        line.append(String(repeating: " ", count: max(0, room - details.columns - title.columns)) + details, look)
        return line
    }
}

extension Texts {
    static let newItem = "New item:"
    static let newTitle = "Title:"

    /// The keys of this screen, for the help.
    static let itemKeys = [
        ("Space", "complete or reopen an item"),
        ("x, Shift ↑ ↓", "select an item or not; select up to the next one"),
        ("Space, d, Esc", "complete or reopen, delete, forget what is selected"),
        ("a, A", "add an item at the end, at the top"),
        ("e, Enter", "write another title"),
        ("d, C, D", "delete an item, all completed ones, all"),
        ("J, K", "move an item down, up"),
        ("u, U", "undo, redo"),
        ("/, Esc", "filter while typing, show everything again"),
    ]
}
