/// A leaf or a branch of a ``PersistentTree``.
///
/// Every node except the root and those at the right edge has at least ``smallest`` entries; none has more than
/// ``largest``. All leaves have the same depth. There is no empty node.
///
/// Exclusivity is checked where the tree is used, because a tree is a value and is the only one that writes to its
/// nodes. The properties are therefore `@exclusivity(unchecked)`. Checking them for each node would double the time of
/// a lookup.
@usableFromInline
final class PersistentNode<Value> {
    /// Small, because a change of a shared node copies it, and most of that time goes into retaining its entries.
    @inlinable static var largest: Int { 32 }
    @inlinable static var smallest: Int { 16 }

    @usableFromInline let isLeaf: Bool

    /// In a leaf, the key of each value. In a branch, the greatest key below each child.
    @exclusivity(unchecked) @usableFromInline var keys: [UInt64]

    /// The values of a leaf; empty in a branch.
    @exclusivity(unchecked) @usableFromInline var values: [Value]

    /// The children of a branch; empty in a leaf.
    @exclusivity(unchecked) @usableFromInline var children: [PersistentNode]

    /// The number of values below each child of a branch; empty in a leaf.
    @exclusivity(unchecked) @usableFromInline var counts: [Int]

    @inlinable
    init(keys: [UInt64], values: [Value]) {
        self.keys = keys
        self.values = values
        children = []
        counts = []
        isLeaf = true
    }

    @inlinable
    init(children: [PersistentNode]) {
        keys = children.map(\.lastKey)
        values = []
        self.children = children
        counts = children.map(\.count)
        isLeaf = false
    }

    /// A node with the same entries. The two share their arrays, each until one of them changes it.
    @inlinable
    init(copying node: PersistentNode) {
        keys = node.keys
        values = node.values
        children = node.children
        counts = node.counts
        isLeaf = node.isLeaf
    }

    /// The number of values in the node and below it.
    @inlinable var count: Int { isLeaf ? keys.count : counts.reduce(0, +) }

    var firstKey: UInt64 { isLeaf ? keys[0] : children[0].firstKey }

    @inlinable var lastKey: UInt64 { keys[keys.count - 1] }

    /// The index of the first key that isn't less than the given one; the number of keys if there is none.
    @inlinable
    func lowerBound(_ key: UInt64) -> Int {
        // Not a binary search: reading all keys has no branch to mispredict, and doesn't wait for one cache line to
        // know which one is needed next.
        var low = 0
        for index in 0..<keys.count where keys[index] < key { low = index + 1 }
        return low
    }

    /// The index of the child with the value at a position, which becomes a position below that child.
    @inlinable
    func child(at position: inout Int) -> Int {
        var index = 0
        while position >= counts[index] {
            position -= counts[index]
            index += 1
        }
        return index
    }

    /// A child, copied first if another tree shares it. This node must not be shared.
    @inlinable
    func ownChild(_ index: Int) -> PersistentNode {
        if !isKnownUniquelyReferenced(&children[index]) {
            children[index] = PersistentNode(copying: children[index])
        }
        return children[index]
    }

    /// Updates what this branch knows about a child that has changed.
    @inlinable
    func refresh(_ index: Int) {
        let child = children[index]
        keys[index] = child.lastKey
        counts[index] = child.count
    }
}

// @unchecked Sendable: a node is written only by a tree that has found it, and all nodes above it, to be referenced by
// nothing else. Nodes that several trees share are never written.
extension PersistentNode: @unchecked Sendable where Value: Sendable {}
