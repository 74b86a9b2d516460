extension Relux.Entities {
    /// Moves the element with an id to a position. The other elements keep their order.
    ///
    /// - Parameter position: The position of the element after the move, counted from zero. It is clamped: a negative
    ///   position means the beginning, and one that is too large means the end.
    /// - Returns: The new position, or nil if no element has the id. A sorted collection moves nothing and returns the
    ///   position that the element has.
    /// - Complexity: O(log *n*), to the base of 16.
    @discardableResult
    public mutating func move(id: Element.ID, to position: Int) -> Int? {
        guard let origin = self.position(id: id) else { return nil }
        guard order == nil else { return origin }
        let target = Swift.min(Swift.max(position, 0), count - 1)
        relocate(id, from: origin, to: target)
        return target
    }

    /// Moves the element with an id between valid positions.
    private mutating func relocate(_ id: Element.ID, from origin: Int, to target: Int) {
        guard target != origin, let element = slots.remove(at: origin) else { return }
        place(element, id: id, at: target)
    }

    /// Sorts the elements with a stable sort. A sorted collection keeps its own order instead.
    ///
    /// - Parameter areInIncreasingOrder: Whether the first element must precede the second. The predicate must be a
    ///   strict weak ordering. With any other predicate, the resulting order is unspecified, but no element is lost.
    /// - Throws: Any error that the predicate throws. The order is then unchanged.
    /// - Complexity: O(*n* log *n*).
    public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
        guard order == nil else { return }
        fill(try sorted(by: areInIncreasingOrder))
    }
}

extension Relux.Entities where Element: Comparable {
    /// Sorts the elements in ascending order with a stable sort. A sorted collection keeps its own order instead.
    ///
    /// - Complexity: O(*n* log *n*).
    public mutating func sort() {
        sort(by: <)
    }
}
