/// The position of the cursor and of the scrolled window in a list. The cursor follows its element when that moves.
struct ListCursor<ID: Hashable & Sendable>: Sendable, Hashable {
    private(set) var index = 0
    private(set) var id: ID?
    private(set) var firstRow = 0

    /// Finds the element in a new version of the list, in O(1) unless it has moved. If it is gone, the element at the
    /// same index takes its place.
    mutating func follow(count: Int, _ element: (Int) -> ID) {
        guard count > 0 else {
            index = 0
            id = nil
            return
        }
        let place = min(index, count - 1)
        if id == nil || element(place) != id {
            index = (0..<count).first { element($0) == id } ?? place
        } else {
            index = place
        }
        id = element(index)
    }

    /// Moves the cursor to an index, clamped to the list.
    mutating func go(to target: Int, count: Int, _ element: (Int) -> ID) {
        guard count > 0 else { return }
        index = min(max(0, target), count - 1)
        id = element(index)
    }

    /// Moves the cursor according to a key, and returns whether it is a key that moves one.
    mutating func take(_ key: Key, page: Int, count: Int, _ element: (Int) -> ID) -> Bool {
        switch key {
        case .up, .shiftUp, .character("k"): go(to: index - 1, count: count, element)
        case .down, .shiftDown, .character("j"): go(to: index + 1, count: count, element)
        case .pageUp, .control("b"): go(to: index - max(1, page - 1), count: count, element)
        case .pageDown, .control("f"): go(to: index + max(1, page - 1), count: count, element)
        case .home, .character("g"): go(to: 0, count: count, element)
        case .end, .character("G"): go(to: count - 1, count: count, element)
        default: return false
        }
        return true
    }

    /// Scrolls until the row of the cursor is one of the visible ones, but not beyond the last of all rows.
    mutating func scroll(toSee row: Int, height: Int, of rows: Int) {
        if row < firstRow { firstRow = row }
        if row >= firstRow + height { firstRow = row - height + 1 }
        firstRow = max(0, min(firstRow, rows - height))
        // The title above the first element is visible together with it.
        if index == 0, row < height { firstRow = 0 }
    }

    /// The visible ones of all lines, one of which has the cursor.
    mutating func visible(of lines: [Line], height: Int) -> [Line] {
        scroll(toSee: lines.firstIndex(where: \.isSelected) ?? 0, height: height, of: lines.count)
        return Array(lines.dropFirst(firstRow).prefix(height))
    }
}
