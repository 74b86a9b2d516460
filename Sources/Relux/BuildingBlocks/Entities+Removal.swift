extension Relux.Entities {
    /// Removes the element with an id. The other elements keep their order.
    ///
    /// - Returns: The removed element, or nil if no element has the id.
    /// - Complexity: O(*k*) for the *k* elements after it. To remove many elements, use ``remove(ids:)`` or
    ///   ``removeAll(where:)``.
    @discardableResult
    public mutating func remove(id: Element.ID) -> Element? {
        guard let position = positions.removeValue(forKey: id) else { return nil }
        let removed = slots.remove(at: position)
        slotWasRemoved(at: position)
        return removed
    }

    /// Removes the elements with the given ids. The other elements keep their order.
    ///
    /// - Parameter ids: The ids to remove. Repeated ids and ids that no element has are ignored.
    /// - Returns: The removed elements, in the order they had in the collection.
    /// - Complexity: O(*n* + *m*) for *m* ids.
    @discardableResult
    public mutating func remove(ids: some Sequence<Element.ID>) -> [Element] {
        let doomed = Set(ids)
        return removeAll { doomed.contains($0.id) }
    }

    /// Removes the elements that match a predicate. The other elements keep their order.
    ///
    /// - Parameter isDoomed: Whether to remove an element. It is called once for each element, in order.
    /// - Returns: The removed elements, in the order they had in the collection.
    /// - Throws: Any error that the predicate throws. Nothing has changed then.
    /// - Complexity: O(*n*). If no element matches, nothing is copied or moved.
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
    /// - Parameter keepsCapacity: Whether to keep the allocated storage for later elements.
    /// - Complexity: O(*n*).
    public mutating func removeAll(keepingCapacity keepsCapacity: Bool = false) {
        slots.removeAll(keepingCapacity: keepsCapacity)
        positions.removeAll(keepingCapacity: keepsCapacity)
    }
}
