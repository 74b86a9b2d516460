/// Values in order, each under a key; copies share all nodes but those on the paths to what has changed since.
///
/// A B+-tree (Bayer and McCreight, "Organization and Maintenance of Large Ordered Indices", 1972; Comer, "The
/// Ubiquitous B-Tree", 1979) whose branches also count the values below each child, so that values are found by
/// position as well as by key. It becomes persistent by path copying (Driscoll, Sarnak, Sleator, and Tarjan, "Making
/// Data Structures Persistent", 1989): a change copies the nodes on its path that other trees share, and changes the
/// others in place.
///
/// The keys must ascend; equal keys may follow each other. ``PersistentList`` uses it with keys that stand for places,
/// and ``PersistentMap`` with keys that are hashes.
///
/// - Complexity: Finding, inserting and removing a value take O(log₁₆ *n*) steps from node to node: at most five for
///   100,000 values, and four for trees that were built at once. Each node that is shared costs a copy of at most 32
///   references or values.
@usableFromInline
struct PersistentTree<Value> {
    @usableFromInline typealias Node = PersistentNode<Value>

    /// Nil if there are no values.
    @usableFromInline var root: Node?

    @inlinable
    init() {}

    init(root: Node) { self.root = root }

    @inlinable var isEmpty: Bool { root == nil }

    /// The number of values.
    @inlinable var count: Int { root?.count ?? 0 }

    /// The position of the first value whose key isn't less than the given one; nil if there is none.
    @inlinable
    func lowerBound(_ key: UInt64) -> Int? {
        guard var node = root else { return nil }
        var position = 0
        while true {
            let index = node.lowerBound(key)
            guard index < node.keys.count else { return nil }
            for passed in 0..<index { position += node.isLeaf ? 1 : node.counts[passed] }
            if node.isLeaf { return position }
            node = node.children[index]
        }
    }

    /// The position of the first value under a key.
    @inlinable
    func position(of key: UInt64) -> Int? {
        guard var node = root else { return nil }
        var position = 0
        while true {
            let index = node.lowerBound(key)
            guard index < node.keys.count else { return nil }
            if node.isLeaf { return node.keys[index] == key ? position + index : nil }
            for passed in 0..<index { position += node.counts[passed] }
            node = node.children[index]
        }
    }

    /// Calls a closure with the leaf of the first value whose key isn't less than the given one, and the index of the
    /// value there.
    ///
    /// It retains no node, which would take most of the time of a lookup.
    ///
    /// - Returns: The value that the closure returns, or nil if there is no such value.
    @inlinable
    func withLeaf<Result>(from key: UInt64, _ body: (Node, Int) -> Result) -> Result? {
        guard let root else { return nil }
        // Unmanaged: the tree keeps its root alive until this call returns, and the root all other nodes.
        var next = Unmanaged.passUnretained(root)
        while true {
            // unsafe guaranteed reference: see above.
            let step: (index: Int, child: Unmanaged<Node>?) = next._withUnsafeGuaranteedRef { node in
                let index = node.lowerBound(key)
                if node.isLeaf || index == node.keys.count { return (index, nil) }
                // Unmanaged: see above.
                return (index, Unmanaged.passUnretained(node.children[index]))
            }
            guard let child = step.child else {
                // unsafe guaranteed reference: see above.
                return next._withUnsafeGuaranteedRef { leaf in
                    step.index < leaf.keys.count ? body(leaf, step.index) : nil
                }
            }
            next = child
        }
    }

    /// The leaf with the value at a valid position, and the index of the value there.
    @inlinable
    func leaf(at position: Int) -> (leaf: Node, index: Int) {
        guard var node = root else { preconditionFailure("There is no value at position \(position).") }
        var position = position
        while !node.isLeaf {
            node = node.children[node.child(at: &position)]
        }
        return (node, position)
    }

    /// The leaf with the first value under a key, to change the value in place, and the index of the value there.
    ///
    /// No other tree shares the leaf or a node above it until this tree is copied.
    @inlinable
    mutating func ownLeaf(of key: UInt64) -> (leaf: Node, index: Int)? {
        guard var node = ownRoot() else { return nil }
        while true {
            let index = node.lowerBound(key)
            guard index < node.keys.count else { return nil }
            if node.isLeaf { return node.keys[index] == key ? (node, index) : nil }
            node = node.ownChild(index)
        }
    }

    /// The leaf with the value at a valid position, to change the value in place, and the index of the value there.
    ///
    /// No other tree shares the leaf or a node above it until this tree is copied.
    @inlinable
    mutating func ownLeaf(at position: Int) -> (leaf: Node, index: Int) {
        guard var node = ownRoot() else { preconditionFailure("There is no value at position \(position).") }
        var position = position
        while !node.isLeaf {
            node = node.ownChild(node.child(at: &position))
        }
        return (node, position)
    }

    /// The root, copied first if another tree shares it.
    @inlinable
    mutating func ownRoot() -> Node? {
        if !isKnownUniquelyReferenced(&root) { root = root.map(Node.init(copying:)) }
        return root
    }
}

extension PersistentTree: Sendable where Value: Sendable {}
