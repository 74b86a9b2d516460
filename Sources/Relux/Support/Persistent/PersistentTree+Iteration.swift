extension PersistentTree: Sequence {
    /// Visits the values in order. It copies nothing, and retains the tree as it is.
    @usableFromInline
    struct Iterator: IteratorProtocol {
        private let tree: PersistentTree
        @usableFromInline let count: Int
        /// The values of the present leaf.
        @usableFromInline var values: [Value] = []
        @usableFromInline var index = 0
        /// The position of the first value after the present leaf.
        @usableFromInline var position = 0

        @usableFromInline
        init(_ tree: PersistentTree) {
            self.tree = tree
            count = tree.count
        }

        @inlinable
        mutating func next() -> Value? {
            if index == values.count {
                guard position < count else { return nil }
                advance()
            }
            defer { index += 1 }
            return values[index]
        }

        @usableFromInline
        mutating func advance() {
            values = tree.leaf(at: position).leaf.values
            position += values.count
            index = 0
        }
    }

    @inlinable
    func makeIterator() -> Iterator { Iterator(self) }

    @inlinable var underestimatedCount: Int { count }
}

extension PersistentTree.Iterator: Sendable where Value: Sendable {}
