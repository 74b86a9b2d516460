extension Relux.Entities {
    /// The outcome of adding an element.
    public enum Insertion: Sendable, Hashable {
        /// The element was added and is now at this position.
        case inserted(at: Int)

        /// The element was not added, and nothing has changed: the element at this position has the same id.
        case duplicate(at: Int)
    }

    /// Adds an element at the end, or at its place in a sorted collection, unless its id is taken.
    ///
    /// - Returns: The position of the element, or that of the element that has its id.
    /// - Complexity: O(log *n*), to the base of 16.
    @discardableResult
    @inlinable
    public mutating func append(_ element: Element) -> Insertion {
        insert(element, at: count)
    }

    /// Adds elements at the end, or at their places in a sorted collection, except those whose id is already taken.
    ///
    /// - Parameter elements: The elements to add. If several of them have the same id, only the first is added.
    /// - Returns: The elements that were not added, in order.
    /// - Complexity: O(*m* log *n*) for *m* elements.
    @discardableResult
    @inlinable
    public mutating func append(contentsOf elements: some Sequence<Element>) -> [Element] {
        elements.filter { element in
            if case .duplicate = append(element) { true } else { false }
        }
    }

    /// Inserts an element at a position, unless its id is taken.
    ///
    /// - Parameter position: The position of the inserted element, counted from zero. It is clamped: a negative
    ///   position means the beginning, and one greater than the number of elements means the end. A sorted collection
    ///   ignores it, and inserts the element after those that don't follow it.
    /// - Returns: The position of the element, or that of the element that has its id.
    /// - Complexity: O(log *n*), to the base of 16. If elements are inserted at one place again and again, O(log *n*)
    ///   others have to be relabelled each time, on average.
    @discardableResult
    @inlinable
    public mutating func insert(_ element: Element, at position: Int) -> Insertion {
        let id = element.id
        if let holder = self.position(id: id) {
            return .duplicate(at: holder)
        }
        let position = order == nil ? Swift.min(Swift.max(position, 0), count) : sortedPosition(of: element)
        place(element, id: id, at: position)
        return .inserted(at: position)
    }

    /// Replaces the element that has the same id, or adds the element as ``append(_:)`` does if there is none.
    ///
    /// - Returns: The replaced element, or nil if the element was added.
    /// - Complexity: O(log *n*), to the base of 16.
    @discardableResult
    @inlinable
    public mutating func upsert(_ element: Element) -> Element? {
        guard case .duplicate(let position) = append(element) else { return nil }
        let (leaf, index) = slots.tree.ownLeaf(at: position)
        let replaced = leaf.values[index]
        leaf.values[index] = element
        if order != nil { restoreOrder(of: element.id) }
        return replaced
    }

    /// Stores an element at a valid position, under an id that no other element has.
    @inlinable
    mutating func place(_ element: Element, id: Element.ID, at position: Int) {
        for relabelled in slots.makeRoom(at: position) {
            guard let id = slots[relabelled]?.id else { continue }
            labels.set(id, to: slots.label(at: relabelled))
        }
        labels.set(id, to: slots.insert(element, at: position))
    }

    /// For each element, replaces the element that has the same id, or adds the element as ``append(_:)`` does if there
    /// is none.
    ///
    /// - Parameter elements: The elements to store. If several of them have the same id, the last one is kept.
    /// - Complexity: O(*m* log *n*) for *m* elements.
    @inlinable
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
