extension Relux.Entities {
    /// Removes the element with an id. The other elements keep their order.
    ///
    /// - Returns: The removed element, or nil if no element has the id.
    /// - Complexity: O(log *n*), to the base of 16.
    @inlinable
    @discardableResult
    public mutating func remove(id: Element.ID) -> Element? {
        guard let position = position(id: id) else { return nil }
        labels.remove(id)
        return slots.remove(at: position)
    }

    /// Removes the elements with the given ids. The other elements keep their order.
    ///
    /// - Parameter ids: The ids to remove. Repeated ids and ids that no element has are ignored.
    /// - Returns: The removed elements, in the order they had in the collection.
    /// - Complexity: O(*m* log *m* + *m* log *n*) for *m* ids.
    @discardableResult
    public mutating func remove(ids: some Sequence<Element.ID>) -> [Element] {
        remove(at: Set(ids).compactMap(position(id:)).sorted())
    }

    /// Removes the elements that match a predicate. The other elements keep their order.
    ///
    /// - Parameter isDoomed: Whether to remove an element. It is called once for each element, in order.
    /// - Returns: The removed elements, in the order they had in the collection.
    /// - Throws: Any error that the predicate throws. Nothing has changed then.
    /// - Complexity: O(*n*) calls of the predicate, and O(log *n*) steps for each removed element. If no element
    ///   matches, nothing is copied.
    @discardableResult
    public mutating func removeAll<E: Error>(where isDoomed: (Element) throws(E) -> Bool) throws(E) -> [Element] {
        var positions: [Int] = []
        for (position, element) in enumerated() where try isDoomed(element) {
            positions.append(position)
        }
        return remove(at: positions)
    }

    /// Removes the elements at positions in ascending order.
    private mutating func remove(at positions: [Int]) -> [Element] {
        let removed = positions.map { self[$0] }
        if positions.count < count / 8 {
            for (position, element) in zip(positions, removed).reversed() {
                slots.remove(at: position)
                labels.remove(element.id)
            }
        } else if !positions.isEmpty {
            // Building a new collection takes less time than removing many elements one by one.
            var doomed = positions[...]
            fill(
                enumerated().compactMap { position, element in
                    guard doomed.first == position else { return element }
                    doomed.removeFirst()
                    return nil
                })
        }
        return removed
    }

    /// Removes all elements.
    ///
    /// - Parameter keepsCapacity: Ignored, because no storage is allocated in advance.
    /// - Complexity: O(*n*), or O(1) if a copy of the collection exists.
    public mutating func removeAll(keepingCapacity keepsCapacity: Bool = false) {
        slots = PersistentList()
        labels = PersistentMap()
    }
}
