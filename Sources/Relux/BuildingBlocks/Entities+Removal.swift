extension Relux.Entities {
    /// Removes the element with an id; the others keep their order.
    ///
    /// - Parameter id: The id.
    /// - Returns: The element, or nil where none has the id.
    /// - Complexity: O(*k*) for the *k* elements behind it. To remove many, use ``remove(ids:)`` or
    ///   ``removeAll(where:)``.
    @discardableResult
    public mutating func remove(id: Element.ID) -> Element? {
        guard let position = positions.removeValue(forKey: id) else { return nil }
        let removed = slots.remove(at: position)
        slotWasRemoved(at: position)
        return removed
    }

    /// Removes the elements with the ids; the others keep their order.
    ///
    /// - Parameter ids: The ids. Those that no element has, and repetitions, do nothing.
    /// - Returns: The removed elements, in the order in which they stood.
    /// - Complexity: O(*n* + *m*) for *m* ids.
    @discardableResult
    public mutating func remove(ids: some Sequence<Element.ID>) -> [Element] {
        let doomed = Set(ids)
        return removeAll { doomed.contains($0.id) }
    }

    /// Removes the elements that match; the others keep their order.
    ///
    /// - Parameter isDoomed: Whether an element shall go. Asked once for each, in their order.
    /// - Returns: The removed elements, in the order in which they stood.
    /// - Throws: What the closure throws. Nothing has changed then.
    /// - Complexity: O(*n*); where nothing matches, nothing is copied or moved.
    @discardableResult
    public mutating func removeAll<E: Error>(where isDoomed: (Element) throws(E) -> Bool) throws(E) -> [Element] {
        var kept: [Element?] = []
        var removed: [Element] = []
        for (position, element) in enumerated() {
            if try isDoomed(element) {
                if removed.isEmpty { kept = Array(slots[..<position]) }
                removed.append(element)
            } else if !removed.isEmpty {
                kept.append(element)
            }
        }
        guard !removed.isEmpty else { return [] }
        slots = kept
        for element in removed {
            positions[element.id] = nil
        }
        reindex(0..<slots.count)
        return removed
    }

    /// Removes all elements.
    ///
    /// - Parameter keepsCapacity: Whether the room that they took is kept for others.
    /// - Complexity: O(*n*).
    public mutating func removeAll(keepingCapacity keepsCapacity: Bool = false) {
        slots.removeAll(keepingCapacity: keepsCapacity)
        positions.removeAll(keepingCapacity: keepsCapacity)
    }
}
