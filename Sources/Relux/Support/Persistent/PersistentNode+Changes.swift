extension PersistentNode {
    /// Inserts a value below this node, which must not be shared.
    ///
    /// A node that becomes too large is split in half. At the right edge of the tree, the new entry alone moves to the
    /// new node, so that nodes stay full if values are appended one by one.
    ///
    /// - Returns: The new right neighbour of this node if it had to be split.
    @inlinable
    func insert(_ value: Value, under key: UInt64, at position: Int, atRightEdge isLast: Bool) -> PersistentNode? {
        if isLeaf {
            keys.insert(key, at: position)
            values.insert(value, at: position)
            return splitIfNeeded(keepingLeft: isLast && position == keys.count - 1)
        }
        var position = position
        var index = 0
        while index < counts.count - 1, position > counts[index] {
            position -= counts[index]
            index += 1
        }
        let isLast = isLast && index == counts.count - 1
        let right = ownChild(index).insert(value, under: key, at: position, atRightEdge: isLast)
        refresh(index)
        guard let right else { return nil }
        keys.insert(right.lastKey, at: index + 1)
        counts.insert(right.count, at: index + 1)
        children.insert(right, at: index + 1)
        return splitIfNeeded(keepingLeft: isLast)
    }

    /// Replaces the key of the value at a position below this node, which must not be shared.
    @inlinable
    func setKey(_ key: UInt64, at position: Int) {
        if isLeaf {
            keys[position] = key
            return
        }
        var position = position
        let index = child(at: &position)
        let child = ownChild(index)
        child.setKey(key, at: position)
        keys[index] = child.lastKey
    }

    /// Removes a value below this node, which must not be shared. It may become too small or empty.
    @inlinable
    func remove(at position: Int) -> Value {
        if isLeaf {
            keys.remove(at: position)
            return values.remove(at: position)
        }
        var position = position
        let index = child(at: &position)
        let child = ownChild(index)
        let removed = child.remove(at: position)
        if child.keys.count < Self.smallest {
            balance(index)
        } else {
            refresh(index)
        }
        return removed
    }

    @inlinable
    func splitIfNeeded(keepingLeft: Bool) -> PersistentNode? {
        guard keys.count > Self.largest else { return nil }
        return split(at: keepingLeft ? keys.count - 1 : keys.count / 2)
    }

    /// Moves the entries from an index on to a new node.
    @inlinable
    func split(at index: Int) -> PersistentNode {
        let right: PersistentNode
        if isLeaf {
            right = PersistentNode(keys: Array(keys[index...]), values: Array(values[index...]))
            values.removeSubrange(index...)
        } else {
            right = PersistentNode(children: Array(children[index...]))
            children.removeSubrange(index...)
            counts.removeSubrange(index...)
        }
        keys.removeSubrange(index...)
        return right
    }

    /// Merges a child that has become too small with a neighbour, and splits the two evenly if they don't fit into one.
    @inlinable
    func balance(_ index: Int) {
        guard keys.count > 1 else {
            // Only at the right edge. The branch above balances this one.
            if children[index].keys.isEmpty { removeEntry(index) } else { refresh(index) }
            return
        }
        let left = Swift.max(index - 1, 0)
        let merged = ownChild(left)
        let right = children[left + 1]
        merged.keys += right.keys
        if merged.isLeaf {
            merged.values += right.values
        } else {
            merged.children += right.children
            merged.counts += right.counts
        }
        if merged.keys.count > Self.largest {
            children[left + 1] = merged.split(at: merged.keys.count / 2)
            refresh(left + 1)
        } else {
            removeEntry(left + 1)
        }
        refresh(left)
    }

    @inlinable
    func removeEntry(_ index: Int) {
        keys.remove(at: index)
        counts.remove(at: index)
        children.remove(at: index)
    }
}
