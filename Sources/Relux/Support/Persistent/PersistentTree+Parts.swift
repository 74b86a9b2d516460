/// Values that two trees share, in the same order in both.
struct SharedRun: Hashable {
    /// The position of the first of them in the old tree.
    let from: Int

    /// The position of the first of them in the new tree.
    let to: Int

    let count: Int
}

extension PersistentTree {
    /// The parts of two trees.
    struct Parts {
        /// The part that both trees share, in the order that it has in both.
        private(set) var shared: [SharedRun] = []

        /// The other values of the old tree, with their positions. The new one may have equal values.
        private(set) var old: [(position: Int, value: Value)] = []

        /// The other values of the new tree, with their positions. The old one may have equal values.
        private(set) var new: [(position: Int, value: Value)] = []

        private var oldCount = 0
        private var newCount = 0

        fileprivate mutating func addShared(_ count: Int) {
            shared.append(SharedRun(from: oldCount, to: newCount, count: count))
            oldCount += count
            newCount += count
        }

        fileprivate mutating func addOld(_ value: Value) {
            old.append((oldCount, value))
            oldCount += 1
        }

        fileprivate mutating func addNew(_ value: Value) {
            new.append((newCount, value))
            newCount += 1
        }
    }

    /// The parts of this tree and an older one.
    ///
    /// Both trees are walked in the order of their keys, as two sorted lists are merged, and shared nodes are skipped
    /// as a whole.
    ///
    /// - Complexity: O(*n*), or O(log₁₆ *n*) for each difference if one tree is a changed copy of the other.
    func parts(since old: Self) -> Parts {
        var parts = Parts()
        var olds = Pieces(of: old)
        var news = Pieces(of: self)
        while let one = olds.next, let other = news.next {
            if let node = one.node, node === other.node {
                parts.addShared(node.count)
                olds.removeNext()
                news.removeNext()
            } else if one.lastKey < other.firstKey {
                olds.takeNext { parts.addOld($0) }
            } else if other.lastKey < one.firstKey {
                news.takeNext { parts.addNew($0) }
            } else {
                let heights = (one.height, other.height)
                if heights.0 >= heights.1 { olds.splitNext { parts.addOld($0) } }
                if heights.1 >= heights.0 { news.splitNext { parts.addNew($0) } }
            }
        }
        while olds.next != nil { olds.takeNext { parts.addOld($0) } }
        while news.next != nil { news.takeNext { parts.addNew($0) } }
        return parts
    }

    /// The part of a tree that has not been compared yet, as nodes and single values.
    private struct Pieces {
        enum Piece {
            case node(Node, height: Int)
            case value(Value, key: UInt64)

            var node: Node? {
                if case .node(let node, _) = self { node } else { nil }
            }

            var height: Int {
                if case .node(_, let height) = self { height } else { 0 }
            }

            var firstKey: UInt64 {
                switch self {
                case .node(let node, _): node.firstKey
                case .value(_, let key): key
                }
            }

            var lastKey: UInt64 {
                switch self {
                case .node(let node, _): node.lastKey
                case .value(_, let key): key
                }
            }
        }

        /// The next piece is the last in the array.
        private var rest: [Piece] = []

        init(of tree: PersistentTree) {
            guard let root = tree.root else { return }
            var height = 1
            var node = root
            while !node.isLeaf {
                node = node.children[0]
                height += 1
            }
            rest = [.node(root, height: height)]
        }

        var next: Piece? { rest.last }

        mutating func removeNext() { rest.removeLast() }

        /// Removes the next piece and visits its values.
        mutating func takeNext(_ visit: (Value) -> Void) {
            switch rest.removeLast() {
            case .node(let node, _): PersistentTree(root: node).forEach(visit)
            case .value(let value, _): visit(value)
            }
        }

        /// Replaces a node by its entries, or removes and visits a value.
        mutating func splitNext(_ visit: (Value) -> Void) {
            switch rest.removeLast() {
            case .node(let node, let height):
                rest += node.children.reversed().map { .node($0, height: height - 1) }
                rest += zip(node.values, node.keys).reversed().map { .value($0, key: $1) }
            case .value(let value, _):
                visit(value)
            }
        }
    }
}
