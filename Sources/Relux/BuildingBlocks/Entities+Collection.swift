extension Relux.Entities: RandomAccessCollection {
    /// Always zero.
    @inlinable public var startIndex: Int { 0 }

    /// The number of elements.
    @inlinable public var endIndex: Int { slots.count }

    /// The element at a position.
    ///
    /// - Parameter position: A valid position, as for any collection. ``element(at:)`` accepts any position.
    /// - Complexity: O(1).
    @inlinable public subscript(position: Int) -> Element {
        guard let element = slots[position] else {
            // A slot can be empty only while `subscript(id:)` or `update(id:_:)` has exclusive access to the
            // collection.
            preconditionFailure("A slot was read while it was being changed.")
        }
        return element
    }
}

extension Relux.Entities: Equatable where Element: Equatable {
    /// Whether both collections have equal elements in the same order.
    ///
    /// - Complexity: O(*n*), or O(1) if one is a copy of the other and neither has changed since.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.slots == rhs.slots
    }
}

extension Relux.Entities: Hashable where Element: Hashable {
    /// Hashes the elements in order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(slots)
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
