extension PersistentTree {
    /// Creates a tree at once, with nodes as full as possible.
    ///
    /// - Parameter keys: As many as there are values, in ascending order.
    /// - Complexity: O(*n*).
    init(keys: [UInt64], values: [Value]) {
        guard !values.isEmpty else { return }
        var level = Self.portions(of: values.count).map { Node(keys: Array(keys[$0]), values: Array(values[$0])) }
        while level.count > 1 {
            let children = level
            level = Self.portions(of: children.count).map { Node(children: Array(children[$0])) }
        }
        root = level[0]
    }

    /// The fewest ranges that a node can hold, all of nearly the same length.
    private static func portions(of count: Int) -> [Range<Int>] {
        let number = (count + Node.largest - 1) / Node.largest
        return (0..<number).map { count * $0 / number..<count * ($0 + 1) / number }
    }

    /// Inserts a value at a valid position. Its key must not be less than those before it, nor greater than those after
    /// it.
    @inlinable
    mutating func insert(_ value: Value, under key: UInt64, at position: Int) {
        guard let root = ownRoot() else {
            self.root = Node(keys: [key], values: [value])
            return
        }
        if let right = root.insert(value, under: key, at: position, atRightEdge: true) {
            self.root = Node(children: [root, right])
        }
    }

    /// Replaces the key of the value at a valid position.
    @inlinable
    mutating func setKey(_ key: UInt64, at position: Int) {
        ownRoot()?.setKey(key, at: position)
    }

    /// Removes the value at a valid position.
    @inlinable
    mutating func remove(at position: Int) -> Value {
        guard let root = ownRoot() else { preconditionFailure("There is no value at position \(position).") }
        let removed = root.remove(at: position)
        while let top = self.root, !top.isLeaf, top.keys.count == 1 {
            self.root = top.children[0]
        }
        if self.root?.keys.isEmpty == true { self.root = nil }
        return removed
    }
}
