extension PersistentTree {
    /// The position of the first value that matches a predicate, which must match all values after that one, too.
    ///
    /// - Complexity: O(log *n*) calls of the predicate, and O(log² *n*) steps from node to node.
    func partitionPoint(where matches: (Value) -> Bool) -> Int {
        guard var node = root else { return 0 }
        var position = 0
        while !node.isLeaf {
            // The last child needs no call: if no other has a match, it is there or nowhere.
            let children = node.children
            let index = Self.partitionPoint(children.count - 1) { matches(children[$0].lastValue) }
            for passed in 0..<index { position += node.counts[passed] }
            node = children[index]
        }
        let values = node.values
        return position + Self.partitionPoint(values.count) { matches(values[$0]) }
    }

    /// The first of so many indices that matches.
    private static func partitionPoint(_ count: Int, where matches: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if matches(middle) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}

extension PersistentNode {
    fileprivate var lastValue: Value {
        isLeaf ? values[values.count - 1] : children[children.count - 1].lastValue
    }
}
