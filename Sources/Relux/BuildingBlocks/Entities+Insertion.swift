extension Relux.Entities {
    /// What became of an element that was to be added.
    public enum Insertion: Sendable, Hashable {
        /// It stands at this position now.
        case inserted(at: Int)

        /// It wasn't added, and nothing has changed: the element at this position has its id.
        case duplicate(at: Int)
    }

    /// Adds an element at the end, unless its id is taken.
    ///
    /// - Parameter element: The element.
    /// - Returns: Where it stands, or who has its id.
    /// - Complexity: O(1) on average.
    public mutating func append(_ element: Element) -> Insertion {
        insert(element, at: slots.count)
    }

    /// Adds elements at the end, except those whose id is taken, by an element or by one before them.
    ///
    /// - Parameter elements: The elements.
    /// - Returns: Those that were not added, in their order.
    /// - Complexity: O(*m*) on average for *m* elements.
    public mutating func append(contentsOf elements: some Sequence<Element>) -> [Element] {
        elements.filter { element in
            if case .duplicate = append(element) { true } else { false }
        }
    }

    /// Adds an element at a position, unless its id is taken.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - position: Where it shall stand, counted from zero. Less than zero means the beginning, and more than the
    ///     number of elements the end.
    /// - Returns: Where it stands, or who has its id.
    /// - Complexity: O(*k*) for the *k* elements behind it.
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

    /// Puts an element in the place of the one with its id, or at the end where there is none.
    ///
    /// - Parameter element: The element.
    /// - Returns: The element that it replaces, if there was one.
    /// - Complexity: O(1) on average.
    @discardableResult
    public mutating func upsert(_ element: Element) -> Element? {
        guard case .duplicate(let position) = append(element) else { return nil }
        let replaced = slots[position]
        slots[position] = element
        return replaced
    }

    /// Puts each element in the place of the one with its id, or at the end where there is none.
    ///
    /// - Parameter elements: The elements; of several with the same id the last one stays.
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
