extension Relux.Entities {
    /// The outcome of changing an element.
    public enum Updated {
        /// The element was changed and kept its id.
        case updated

        /// The element was changed and has a new id that no other element had. It keeps its position, unless the
        /// collection is sorted.
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
    /// - Complexity: O(log *n*), to the base of 16. If a copy of the collection shares the element, its node and the
    ///   nodes above it are copied.
    public subscript(id id: Element.ID) -> Element? {
        @inlinable get {
            guard let label = labels[id] else { return nil }
            return slots.tree.withLeaf(from: label) { leaf, index in leaf.values[index] } ?? nil
        }
        @inlinable set {
            if let label = labels[id], let (leaf, index) = slots.tree.ownLeaf(of: label) {
                leaf.values[index] = newValue
                _ = settle(leaf.values[index]?.id, formerly: id, under: label)
            } else if let newValue {
                upsert(newValue)
            }
        }
        @inlinable _modify {
            if let label = labels[id], let (leaf, index) = slots.tree.ownLeaf(of: label) {
                defer { _ = settle(leaf.values[index]?.id, formerly: id, under: label) }
                yield &leaf.values[index]
            } else {
                var absent: Element?
                defer {
                    if let absent { upsert(absent) }
                }
                yield &absent
            }
        }
    }

    /// The element with an id, or another one if there is none. For key paths that must lead somewhere.
    ///
    /// A key path with an id needs elements that are `Hashable` and `Sendable`. For bindings there is
    /// ``UI/ViewState/binding(_:id:_:otherwise:to:fileID:line:column:_:)``, which needs neither: a set by a binding of
    /// this path is a late one if any element has gone since the binding was made.
    ///
    /// - Parameter other: The result if no element has the id.
    /// - Complexity: O(log *n*), to the base of 16.
    public subscript(id id: Element.ID, otherwise other: Element) -> Element {
        @inlinable get { self[id: id] ?? other }
    }

    /// Changes the element with an id in place and reports the outcome.
    ///
    /// - Parameter body: Changes the element. If it throws, the changes made up to then are kept, including a new id
    ///   and its consequences.
    /// - Returns: The outcome. It contains the element that was replaced, if any, so that no element is lost unnoticed.
    /// - Throws: Any error that `body` throws.
    /// - Complexity: O(log *n*), to the base of 16. If a copy of the collection shares the element, its node and the
    ///   nodes above it are copied.
    @inlinable
    public mutating func update<E: Error>(
        id: Element.ID,
        _ body: (inout Element) throws(E) -> Void
    ) throws(E) -> Updated {
        guard
            let label = labels[id],
            let (leaf, index) = slots.tree.ownLeaf(of: label),
            var element = leaf.values[index].take()
        else { return .missing }
        do {
            try body(&element)
        } catch {
            leaf.values[index] = element
            _ = settle(element.id, formerly: id, under: label)
            throw error
        }
        leaf.values[index] = element
        return settle(element.id, formerly: id, under: label)
    }

    /// Restores the invariants after the slot of an element was changed. The new id is nil if it was emptied.
    @inlinable
    mutating func settle(_ newID: Element.ID?, formerly id: Element.ID, under label: UInt64) -> Updated {
        newID == id && order == nil ? .updated : resettle(newID, formerly: id, under: label)
    }

    /// Restores the invariants after an element got another id, its slot was emptied, or the order may have changed.
    @usableFromInline
    mutating func resettle(_ newID: Element.ID?, formerly id: Element.ID, under label: UInt64) -> Updated {
        defer {
            if order != nil, let newID { restoreOrder(of: newID) }
        }
        if newID == id { return .updated }
        labels.remove(id)
        guard let newID else {
            if let position = slots.position(of: label) { slots.remove(at: position) }
            return .missing
        }
        let replaced = remove(id: newID)
        labels.set(newID, to: label)
        return replaced.map(Updated.replaced) ?? .renamed
    }
}

extension Relux.Entities.Updated: Sendable where Element: Sendable {}

extension Relux.Entities.Updated: Equatable where Element: Equatable {}
