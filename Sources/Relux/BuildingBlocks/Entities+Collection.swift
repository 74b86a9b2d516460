extension Relux.Entities: RandomAccessCollection {
    /// Zero.
    @inlinable public var startIndex: Int { 0 }

    /// The number of elements.
    @inlinable public var endIndex: Int { slots.count }

    /// The element at a position.
    ///
    /// - Parameter position: A valid position, as for any collection; ``element(at:)`` takes any.
    /// - Complexity: O(1).
    @inlinable public subscript(position: Int) -> Element {
        guard let element = slots[position] else {
            // A slot is empty only while `subscript(id:)` lends it out, which excludes every other access.
            preconditionFailure("A slot was read while it was being changed.")
        }
        return element
    }
}

extension Relux.Entities: Equatable where Element: Equatable {
    /// Whether both have equal elements in the same order.
    ///
    /// - Parameters:
    ///   - lhs: One of them.
    ///   - rhs: The other.
    /// - Returns: Whether they are equal.
    /// - Complexity: O(*n*); O(1) for a copy that neither side has changed since.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.slots == rhs.slots
    }
}

extension Relux.Entities: Hashable where Element: Hashable {
    /// Feeds the elements, in their order.
    ///
    /// - Parameter hasher: Takes them.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(slots)
    }
}

extension Relux.Entities: CustomStringConvertible, CustomReflectable {
    /// The elements, as an array describes them.
    public var description: String {
        "\(Array(self))"
    }

    /// The elements as those of a collection: what `dump` and comparisons for people show.
    public var customMirror: Mirror {
        Mirror(self, unlabeledChildren: self, displayStyle: .collection)
    }
}
