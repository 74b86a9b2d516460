extension Relux.Entities {
    /// The outcome of adding an element.
    public enum Insertion: Sendable, Hashable {
        /// The element was added and is now at this position.
        case inserted(at: Int)

        /// The element was not added, and nothing has changed: the element at this position has the same id.
        case duplicate(at: Int)
    }

    /// Adds an element at the end, unless its id is taken.
    ///
    /// - Returns: The position of the element, or that of the element that has its id.
    /// - Complexity: O(1) on average.
    public mutating func append(_ element: Element) -> Insertion {
        insert(element, at: slots.count)
    }

    /// Adds elements at the end, except those whose id is already taken.
    ///
    /// - Parameter elements: The elements to add. If several of them have the same id, only the first is added.
    /// - Returns: The elements that were not added, in order.
    /// - Complexity: O(*m*) on average for *m* elements.
    public mutating func append(contentsOf elements: some Sequence<Element>) -> [Element] {
        elements.filter { element in
            if case .duplicate = append(element) { true } else { false }
        }
    }

    /// Inserts an element at a position, unless its id is taken.
    ///
    /// - Parameter position: The position of the inserted element, counted from zero. It is clamped: a negative
    ///   position means the beginning, and one greater than the number of elements means the end.
    /// - Returns: The position of the element, or that of the element that has its id.
    /// - Complexity: O(*k*) for the *k* elements after it.
    public mutating func insert(_ element: Element, at position: Int) -> Insertion {
        if let holder = positions[element.id] {
            return .duplicate(at: holder)
        }
        let position = Swift.min(Swift.max(position, 0), slots.count)
        slots.insert(element, at: position)
        slotWasInserted(at: position)
        positions[element.id] = position
        return .inserted(at: position)
    }

    /// Replaces the element that has the same id, or adds the element at the end if there is none.
    ///
    /// - Returns: The replaced element, or nil if the element was added.
    /// - Complexity: O(1) on average.
    @discardableResult
    public mutating func upsert(_ element: Element) -> Element? {
        guard case .duplicate(let position) = append(element) else { return nil }
        let replaced = slots[position]
        slots[position] = element
        return replaced
    }

    /// For each element, replaces the element that has the same id, or adds the element at the end if there is none.
    ///
    /// - Parameter elements: The elements to store. If several of them have the same id, the last one is kept.
    /// - Complexity: O(*m*) on average for *m* elements.
    public mutating func upsert(contentsOf elements: some Sequence<Element>) {
        for element in elements {
            upsert(element)
        }
    }
}

extension Relux.Entities.Insertion {
    /// Whether the element was added.
    public var isInserted: Bool {
        if case .inserted = self { true } else { false }
    }
}
