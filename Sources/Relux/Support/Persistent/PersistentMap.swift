/// Values by key, like a dictionary, but copies share all nodes but those on the paths to what has changed since.
///
/// The entries are in a ``PersistentTree``, in the order of the keys' hashes. That needs one kind of node for this map
/// and for ``PersistentList``, and as few steps as a hash trie with 32 children a node (Bagwell, "Ideal Hash Trees",
/// 2001), whose nodes are mostly empty near the leaves.
///
/// - Complexity: Everything takes O(log₁₆ *n*) steps from node to node, and a comparison of keys for each other key
///   with the same hash. The keys should hash well, as for a dictionary.
@usableFromInline
struct PersistentMap<Key: Hashable, Value> {
    @usableFromInline
    struct Entry {
        @usableFromInline let key: Key
        @usableFromInline var value: Value

        @inlinable
        init(key: Key, value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// The entries under the hashes of their keys.
    @usableFromInline var tree = PersistentTree<Entry>()

    @inlinable
    init() {}

    var count: Int { tree.count }

    /// The value of a key.
    @inlinable
    subscript(key: Key) -> Value? {
        let hash = Self.hash(of: key)
        let found: Value?? =
            tree.withLeaf(from: hash) { leaf, start in
                for index in start..<leaf.keys.count {
                    guard leaf.keys[index] == hash else { return .some(nil) }
                    if leaf.values[index].key == key { return leaf.values[index].value }
                }
                return nil
            } ?? .some(nil)
        // Entries with the same hash may continue in the next leaf.
        return found ?? valueInNextLeaf(of: key)
    }

    @usableFromInline
    func valueInNextLeaf(of key: Key) -> Value? {
        guard case .found(let position) = place(of: key) else { return nil }
        let (leaf, index) = tree.leaf(at: position)
        return leaf.values[index].value
    }

    /// Stores a value for a key, in place of the key's previous one.
    @inlinable
    mutating func set(_ key: Key, to value: Value) {
        switch place(of: key) {
        case .found(let position):
            let (leaf, index) = tree.ownLeaf(at: position)
            leaf.values[index].value = value
        case .missing(let position):
            tree.insert(Entry(key: key, value: value), under: Self.hash(of: key), at: position)
        }
    }

    /// Removes a key and its value.
    ///
    /// - Returns: The value, or nil if there was none.
    @inlinable
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard case .found(let position) = place(of: key) else { return nil }
        return tree.remove(at: position).value
    }

    @inlinable
    static func hash(of key: Key) -> UInt64 {
        UInt64(UInt(bitPattern: key.hashValue))
    }

    @usableFromInline
    enum Place {
        case found(Int)
        /// Where the key would have to be inserted.
        case missing(Int)
    }

    @inlinable
    func place(of key: Key) -> Place {
        let hash = Self.hash(of: key)
        guard let first = tree.lowerBound(hash) else { return .missing(tree.count) }
        for position in first..<tree.count {
            let (leaf, index) = tree.leaf(at: position)
            guard leaf.keys[index] == hash else { return .missing(position) }
            if leaf.values[index].key == key { return .found(position) }
        }
        return .missing(tree.count)
    }
}

extension PersistentMap: Sendable where Key: Sendable, Value: Sendable {}

extension PersistentMap.Entry: Sendable where Key: Sendable, Value: Sendable {}

extension PersistentMap {
    /// Creates a map at once.
    ///
    /// - Parameters:
    ///   - keys: The keys, of which the first of equal ones is stored.
    ///   - value: The value of the key at an index.
    ///   - foundAgain: Called for each key that isn't stored, with its index and that of the equal key that is, in no
    ///     particular order.
    /// - Complexity: O(*n* log *n*).
    init(_ keys: [Key], value: (Int) -> Value, foundAgain: (_ index: Int, _ first: Int) -> Void) {
        var order = keys.indices.map { (hash: Self.hash(of: keys[$0]), index: $0) }
        order.sort { ($0.hash, $0.index) < ($1.hash, $1.index) }
        var stored: [(hash: UInt64, index: Int)] = []
        stored.reserveCapacity(order.count)
        for next in order {
            // Equal keys have equal hashes, and are therefore among the last ones.
            let equal = stored.reversed().prefix { $0.hash == next.hash }.first { keys[$0.index] == keys[next.index] }
            if let equal {
                foundAgain(next.index, equal.index)
            } else {
                stored.append(next)
            }
        }
        let entries = stored.map { Entry(key: keys[$0.index], value: value($0.index)) }
        tree = PersistentTree(keys: stored.map(\.hash), values: entries)
    }
}
