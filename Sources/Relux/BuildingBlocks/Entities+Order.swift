extension Relux.Entities {
    /// Moves the element with an id to a position. The other elements keep their order.
    ///
    /// - Parameter position: The position of the element after the move, counted from zero. It is clamped: a negative
    ///   position means the beginning, and one that is too large means the end.
    /// - Returns: The new position, or nil if no element has the id.
    /// - Complexity: O(*d*) for a distance of *d* positions.
    @discardableResult
    public mutating func move(id: Element.ID, to position: Int) -> Int? {
        guard let origin = positions[id] else { return nil }
        let target = Swift.min(Swift.max(position, 0), slots.count - 1)
        let step = target < origin ? -1 : 1
        for passed in stride(from: origin, to: target, by: step) {
            slots.swapAt(passed, passed + step)
        }
        reindex(Swift.min(origin, target)..<Swift.max(origin, target) + 1)
        return target
    }

    /// Sorts the elements with a stable sort.
    ///
    /// - Parameter areInIncreasingOrder: Whether the first element must precede the second. The predicate must be a
    ///   strict weak ordering. With any other predicate, the resulting order is unspecified, but no element is lost.
    /// - Throws: Any error that the predicate throws. The order is then unchanged.
    /// - Complexity: O(*n* log *n*).
    public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
        let sorted = try sorted(by: areInIncreasingOrder)
        slots = sorted.map(Optional.some)
        reindex(0..<slots.count)
    }
}

extension Relux.Entities where Element: Comparable {
    /// Sorts the elements in ascending order with a stable sort.
    ///
    /// - Complexity: O(*n* log *n*).
    public mutating func sort() {
        sort(by: <)
    }
}
