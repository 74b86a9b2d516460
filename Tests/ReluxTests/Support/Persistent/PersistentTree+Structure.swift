@testable import Relux

extension PersistentTree {
    /// The keys in order.
    var keys: [UInt64] {
        func keys(_ node: Node) -> [UInt64] { node.isLeaf ? node.keys : node.children.flatMap(keys) }
        return root.map(keys) ?? []
    }

    /// The number of nodes from the root to a leaf.
    var height: Int {
        func height(_ node: Node) -> Int { node.isLeaf ? 1 : 1 + height(node.children[0]) }
        return root.map(height) ?? 0
    }

    /// The broken rules of its structure; none in a sound tree.
    var faults: [String] {
        guard let root else { return [] }
        var faults: [String] = []
        if root.keys.count < 2, !root.isLeaf { faults.append("The root has a single child.") }
        if keys != keys.sorted() { faults.append("The keys don't ascend.") }
        check(root, depth: 1, height: height, isAtEdge: true, &faults)
        return faults
    }

    private func check(_ node: Node, depth: Int, height: Int, isAtEdge: Bool, _ faults: inout [String]) {
        if node.keys.isEmpty { faults.append("A node at depth \(depth) is empty.") }
        if node.keys.count > Node.largest { faults.append("A node at depth \(depth) is too large.") }
        if node.keys.count < Node.smallest, !isAtEdge { faults.append("A node at depth \(depth) is too small.") }
        if node.isLeaf != (depth == height) { faults.append("A leaf has the depth \(depth) of \(height).") }
        if node.isLeaf {
            let isComplete = node.values.count == node.keys.count && node.children.isEmpty && node.counts.isEmpty
            if !isComplete { faults.append("A leaf has \(node.values.count) values for \(node.keys.count) keys.") }
            return
        }
        if node.counts != node.children.map(\.count) { faults.append("A branch at depth \(depth) miscounts.") }
        if node.keys != node.children.map(\.lastKey) { faults.append("A branch at depth \(depth) has wrong keys.") }
        for (index, child) in node.children.enumerated() {
            let isLast = isAtEdge && index == node.children.count - 1
            check(child, depth: depth + 1, height: height, isAtEdge: isLast, &faults)
        }
    }
}
