extension PersistentTree where Value: Equatable {
    /// Whether both trees have equal values in the same order, whatever their keys.
    ///
    /// - Complexity: O(*n*), but what both trees share is skipped: O(log₁₆ *n*) if one is a copy of the other in which
    ///   a few values were changed in place, and a comparison for each leaf if some were inserted and others removed.
    func hasEqualValues(as other: Self) -> Bool {
        guard let root, let otherRoot = other.root else { return isEmpty && other.isEmpty }
        return root.count == otherRoot.count && Self.areEqual(root, otherRoot)
    }

    /// Compares nodes with the same number of values.
    private static func areEqual(_ lhs: Node, _ rhs: Node) -> Bool {
        if lhs === rhs { return true }
        if lhs.isLeaf, rhs.isLeaf {
            return lhs.values.elementsEqual(rhs.values)
        }
        if lhs.counts == rhs.counts {
            return zip(lhs.children, rhs.children).allSatisfy { Self.areEqual($0, $1) }
        }
        return areEqualLeafByLeaf(Self(root: lhs), Self(root: rhs))
    }

    /// Compares trees with the same number of values, whose branches hold different numbers of them.
    private static func areEqualLeafByLeaf(_ lhs: Self, _ rhs: Self) -> Bool {
        var position = 0
        while position < lhs.count {
            let (one, start) = lhs.leaf(at: position)
            let (other, otherStart) = rhs.leaf(at: position)
            let length = Swift.min(one.values.count - start, other.values.count - otherStart)
            if one !== other || start != otherStart {
                let values = one.values[start..<start + length]
                let others = other.values[otherStart..<otherStart + length]
                guard values.elementsEqual(others) else { return false }
            }
            position += length
        }
        return true
    }
}
