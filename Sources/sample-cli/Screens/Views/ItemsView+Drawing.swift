import SampleDomain
import SampleServices

extension ItemsView {
    mutating func lines(_ size: TerminalSize) -> [Line] {
        page = size.rows
        let (active, completed) = (props.list.active.count, props.list.completed.count)
        guard active + completed > 0 else { return [Line(emptiness, .faint)] }
        // Each part that isn't empty has a title above its items.
        let completedTitle = active > 0 ? active + 1 : 0
        let rows = completedTitle + (completed > 0 ? completed + 1 : 0)
        let row = cursor.index < active ? cursor.index + 1 : completedTitle + 1 + cursor.index - active
        cursor.scroll(toSee: row, height: size.rows, of: rows)
        let filtered = props.filter.isEmpty ? "" : Texts.filtered
        // Only the visible rows are made, however long the list is.
        return (cursor.firstRow..<min(rows, cursor.firstRow + size.rows)).map { row in
            if row == completedTitle, completed > 0 { return Line(Texts.done(completed) + filtered, .title) }
            if row == 0 { return Line(Texts.toDo(active) + filtered, .title) }
            return line(of: row < completedTitle ? row - 1 : row - completedTitle - 1 + active, width: size.columns)
        }
    }

    private var emptiness: String {
        if props.whole.count > 0 { return Texts.nothingFound }
        if props.isLoaded { return Texts.emptyListOnScreen }
        return props.isLoading ? Texts.loading : ""
    }

    private func line(of index: Int, width: Int) -> Line {
        let item = props.list.item(at: index)
        let isHere = index == cursor.index
        let isSelected = props.selected.contains(item.id)
        let isDone = item.completed != nil
        let look: Look = isSelected ? .accent : isDone ? .faint : .plain
        let marks = (isHere ? ">" : " ") + (isSelected ? Texts.selectedMark : " ")
        var line = Line(marks + (isDone ? "[x] " : "[ ] "), look, isSelected: isHere)
        let mark = props.unsaved.contains(item.id) ? Texts.unsavedMark : ""
        // The date is omitted if the title needs the space.
        let room = width - line.columns - mark.columns
        let date = room > 40 ? item.completed.map { " " + Texts.day($0) } ?? "" : ""
        let title = item.title.fitted(to: room - date.columns)
        line.append(title, look)
        line.append(mark, .failure)
        line.append(String(repeating: " ", count: max(0, room - date.columns - title.columns)) + date, look)
        return line
    }
}

extension Items.List {
    /// The item at an index among the active items, followed by the completed ones.
    func item(at index: Int) -> Item {
        index < active.count ? active[index] : completed[index - active.count]
    }

    func id(at index: Int) -> Item.ID { item(at: index).id }
}
