extension Relux.Entities: RandomAccessCollection {
    /// Always zero.
    @inlinable public var startIndex: Int { 0 }

    /// The number of elements.
    @inlinable public var endIndex: Int { slots.count }

    /// The element at a position.
    ///
    /// - Parameter position: A valid position, as for any collection. ``element(at:)`` accepts any position.
    /// - Complexity: O(log *n*), to the base of 16. Iterating takes constant time for each element.
    @inlinable public subscript(position: Int) -> Element {
        guard let element = slots[position] else {
            // A slot can be empty only while `subscript(id:)` or `update(id:_:)` has exclusive access to the
            // collection.
            preconditionFailure("A slot was read while it was being changed.")
        }
        return element
    }

    /// An iterator over the elements as they are now. Later changes don't affect it.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(slots.tree) }

    /// Visits the elements of ``Relux/Entities`` in order, in constant time for each.
    public struct Iterator: IteratorProtocol {
        @usableFromInline var slots: PersistentTree<Element?>.Iterator

        @inlinable
        init(_ tree: PersistentTree<Element?>) {
            slots = tree.makeIterator()
        }

        /// The next element, or nil after the last one.
        @inlinable
        public mutating func next() -> Element? {
            slots.next() ?? nil
        }
    }
}

extension Relux.Entities.Iterator: Sendable where Element: Sendable {}

extension Relux.Entities: Equatable where Element: Equatable {
    /// Whether both collections have equal elements in the same order.
    ///
    /// - Complexity: O(*n*), but parts that both collections share are skipped. If one is a copy of the other in which
    ///   a few elements were changed, O(log *n*) for each of these; if some were added and as many removed, O(*n*) with
    ///   one step for about 32 elements.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.slots.tree.hasEqualValues(as: rhs.slots.tree)
    }
}

extension Relux.Entities: Hashable where Element: Hashable {
    /// Hashes the elements in order.
    ///
    /// - Complexity: O(*n*).
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self {
            hasher.combine(element)
        }
    }
}

extension Relux.Entities: CustomStringConvertible, CustomReflectable {
    /// The elements, formatted as an array.
    public var description: String {
        "\(Array(self))"
    }

    /// A mirror of the elements as a collection, as shown by `dump` and in readable differences.
    public var customMirror: Mirror {
        Mirror(self, unlabeledChildren: self, displayStyle: .collection)
    }
}
