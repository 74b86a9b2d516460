extension Relux.Entities {
    /// Moves the element with an id to a position; the others keep their order.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - position: Where it shall stand afterwards, counted from zero. Less than zero means the beginning, and too
    ///     much the end.
    /// - Returns: Where it stands now, or nil where no element has the id.
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

    /// Sorts the elements; those of equal rank keep their order.
    ///
    /// - Parameter areInIncreasingOrder: Whether the first element has to stand before the second one, a strict weak
    ///   ordering. What the order is with any other predicate isn't said; no element is lost.
    /// - Throws: What the predicate throws. Nothing has changed then.
    /// - Complexity: O(*n* log *n*).
    public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
        let sorted = try sorted(by: areInIncreasingOrder)
        slots = sorted.map(Optional.some)
        reindex(0..<slots.count)
    }
}

extension Relux.Entities where Element: Comparable {
    /// Sorts the elements in ascending order; equal ones keep their order.
    ///
    /// - Complexity: O(*n* log *n*).
    public mutating func sort() {
        sort(by: <)
    }
}
