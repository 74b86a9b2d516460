extension Relux.Entities {
    /// What became of an element that was to be changed.
    public enum Updated {
        /// It was changed, and has the id that it had.
        case updated

        /// It was changed and has another id now, which nobody had. It stands where it stood.
        case renamed

        /// It was changed and has the id of another element now, which gave way: this one. It stands where it stood, or
        /// one position less where the other stood before it.
        case replaced(Element)

        /// No element has the id. Nothing was called or changed.
        case missing
    }

    /// The element with an id, to be read, changed in place, replaced, added or removed.
    ///
    /// ```swift
    /// items[id: id]?.title = title    // changes it in place; does nothing where there is none
    /// items[id: id] = item            // puts it in the place of the one with that id, or at the end
    /// items[id: id] = nil             // removes it
    /// ```
    ///
    /// An element is stored under its own id, whatever is between the brackets. One whose id has changed keeps its
    /// place under the new id; if another element had that id, the changed one replaces it, as renaming a file does.
    /// Where ids can change, ``update(id:_:)`` tells which of these happened.
    ///
    /// - Parameter id: The id.
    /// - Complexity: O(1) on average to read, to change in place, to replace and to add; O(*k*) to remove, or to
    ///   replace a second one, for the *k* elements behind it.
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

    /// Changes the element with an id in place, and tells what came of it.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - body: Changes the element. What it changed before it threw stays, a new id and its consequences included.
    /// - Returns: What became of it. An element that had to give way is in it, so that none is lost unnoticed.
    /// - Throws: What `body` throws.
    /// - Complexity: O(1) on average; O(*k*) where another element gives way, for the *k* elements behind that.
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

    /// Makes the positions true again after the slot of an element was changed.
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
