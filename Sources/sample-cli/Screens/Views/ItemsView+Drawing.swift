import SampleDomain
import SampleServices

extension ItemsView {
    mutating func draw(on canvas: inout Canvas, in area: Area) {
        page = area.height
        let (active, completed) = (props.list.active.count, props.list.completed.count)
        guard active + completed > 0 else {
            canvas.write(emptiness, in: area, .faint)
            return
        }
        // Each part that isn't empty has a title above its items.
        let completedTitle = active > 0 ? active + 1 : 0
        let rows = completedTitle + (completed > 0 ? completed + 1 : 0)
        let row = cursor.index < active ? cursor.index + 1 : completedTitle + 1 + cursor.index - active
        cursor.scroll(toSee: row, height: area.height, of: rows)
        let filtered = props.filter.isEmpty ? "" : Texts.filtered
        // Only the visible rows are drawn, however long the list is.
        for (row, line) in zip(cursor.firstRow..<rows, area.lines) {
            if row == completedTitle, completed > 0 {
                canvas.write(Texts.done(completed) + filtered, in: line, .title)
            } else if row == 0 {
                canvas.write(Texts.toDo(active) + filtered, in: line, .title)
            } else {
                draw(item: row < completedTitle ? row - 1 : row - completedTitle - 1 + active, on: &canvas, in: line)
            }
        }
    }

    private var emptiness: String {
        if props.whole.count > 0 { return Texts.nothingFound }
        if props.isLoaded { return Texts.emptyListOnScreen }
        return props.isLoading ? Texts.loading : ""
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
        let mark = props.unsaved.contains(item.id) ? Texts.unsavedMark : ""
        let date = item.completed.map(Texts.day) ?? ""
        // The date is omitted if the title needs the space.
        let dateWidth = rest.width > 40 && !date.isEmpty ? date.columns + 1 : 0
        let end = canvas.write(item.title, in: rest.columns(to: rest.width - dateWidth - mark.columns), look)
        let afterTitle = rest.columns(from: end.column - rest.column)
        canvas.write(mark, in: afterTitle.columns(to: mark.columns), Look.failure.selected(isHere))
        if dateWidth > 0 { canvas.write(date, in: rest.columns(from: rest.width - dateWidth + 1), look) }
    }
}

extension Items.List {
    /// The item at an index among the active items, followed by the completed ones.
    func item(at index: Int) -> Item {
        index < active.count ? active[index] : completed[index - active.count]
    }

    func id(at index: Int) -> Item.ID { item(at: index).id }
}
