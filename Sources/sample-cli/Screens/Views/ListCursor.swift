/// Where somebody is in a list, and how far it is scrolled. It keeps to the element, wherever that moves.
struct ListCursor<ID: Hashable & Sendable>: Sendable, Hashable {
    /// The index of the element; 0 in an empty list.
    private(set) var index = 0

    /// The element.
    private(set) var id: ID?

    /// The first row that is seen.
    private(set) var firstRow = 0

    /// Finds its element in another version of the list or, where that has gone, what stands in its place.
    ///
    /// - Parameters:
    ///   - count: How many elements there are.
    ///   - element: The id of the element at an index.
    /// - Complexity: O(*n*) in the number of elements if it has moved, else O(1).
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

    /// Goes to an element; beyond the ends is at the end.
    mutating func go(to target: Int, count: Int, _ element: (Int) -> ID) {
        guard count > 0 else { return }
        index = min(max(0, target), count - 1)
        id = element(index)
    }

    /// Goes where a key says.
    ///
    /// - Returns: Whether the key goes anywhere.
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

    /// Scrolls so far that the cursor is seen, and no further than there is anything to see.
    ///
    /// - Parameters:
    ///   - row: The row of the cursor among all rows.
    ///   - height: How many rows are seen.
    ///   - rows: How many there are.
    mutating func scroll(toSee row: Int, height: Int, of rows: Int) {
        if row < firstRow { firstRow = row }
        if row >= firstRow + height { firstRow = row - height + 1 }
        firstRow = max(0, min(firstRow, rows - height))
        // What stands above the first element is seen with it.
        if index == 0, row < height { firstRow = 0 }
    }
}
