extension Relux.Entities {
    /// The outcome of changing an element.
    public enum Updated {
        /// The element was changed and kept its id.
        case updated

        /// The element was changed and has a new id that no other element had. It keeps its position.
        case renamed

        /// The element was changed to the id of another element, which was removed and is the associated value.
        ///
        /// The changed element keeps its position, or moves down by one if the removed element preceded it.
        case replaced(Element)

        /// No element has the id. Nothing was called or changed.
        case missing
    }

    /// The element with an id, to read, change in place, replace, add or remove.
    ///
    /// ```swift
    /// items[id: id]?.title = title    // changes it in place; does nothing where there is none
    /// items[id: id] = item            // puts it in the place of the one with that id, or at the end
    /// items[id: id] = nil             // removes it
    /// ```
    ///
    /// An element is always stored under its own id, regardless of the subscript's argument. If a change gives an
    /// element a new id, it keeps its position. If another element already has that id, the changed element replaces
    /// it, just as renaming a file can replace another file. Where ids can change, use ``update(id:_:)``, which reports
    /// which of these happened.
    ///
    /// - Complexity: O(1) on average to read, change in place, replace or add. Removing an element, directly or by a
    ///   change of id, is O(*k*) for the *k* elements after it.
    public subscript(id id: Element.ID) -> Element? {
        @inlinable get {
            positions[id].flatMap { slots[$0] }
        }
        @inlinable set {
            if let position = positions[id] {
                slots[position] = newValue
                _ = settle(position, formerly: id)
            } else if let newValue {
                upsert(newValue)
            }
        }
        @inlinable _modify {
            if let position = positions[id] {
                defer { _ = settle(position, formerly: id) }
                yield &slots[position]
            } else {
                var absent: Element?
                defer {
                    if let absent { upsert(absent) }
                }
                yield &absent
            }
        }
    }

    /// Changes the element with an id in place and reports the outcome.
    ///
    /// - Parameter body: Changes the element. If it throws, the changes made up to then are kept, including a new id
    ///   and its consequences.
    /// - Returns: The outcome. It contains the element that was replaced, if any, so that no element is lost unnoticed.
    /// - Throws: Any error that `body` throws.
    /// - Complexity: O(1) on average. If another element is replaced, O(*k*) for the *k* elements after that one.
    @inlinable
    public mutating func update<E: Error>(
        id: Element.ID,
        _ body: (inout Element) throws(E) -> Void
    ) throws(E) -> Updated {
        guard let position = positions[id], var element = slots[position].take() else { return .missing }
        do {
            try body(&element)
        } catch {
            slots[position] = element
            _ = settle(position, formerly: id)
            throw error
        }
        slots[position] = element
        return settle(position, formerly: id)
    }

    /// Restores the invariant of `positions` after the slot of an element was changed.
    @inlinable
    mutating func settle(_ position: Int, formerly id: Element.ID) -> Updated {
        guard let newID = slots[position]?.id else {
            slots.remove(at: position)
            positions[id] = nil
            slotWasRemoved(at: position)
            return .missing
        }
        if newID == id { return .updated }
        positions[id] = nil
        guard let other = positions.updateValue(position, forKey: newID), let replaced = slots[other] else {
            return .renamed
        }
        slots.remove(at: other)
        slotWasRemoved(at: other)
        return .replaced(replaced)
    }
}

extension Relux.Entities.Updated: Sendable where Element: Sendable {}

extension Relux.Entities.Updated: Equatable where Element: Equatable {}
