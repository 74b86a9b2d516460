/// Values in order, each with a label by which it is found wherever it moves; copies share all nodes but those on the
/// paths to what has changed since.
///
/// The labels ascend, so that the place of a value in the ``PersistentTree`` follows from its label. Inserting a value
/// gives it a label between those of its neighbours. If there is none, the labels around it are spread evenly over the
/// smallest range that is sparse enough. This is order maintenance by tags (Dietz and Sleator, "Two Algorithms for
/// Maintaining Order in a List", 1987) in the simplified form of Bender, Cole, Demaine, Farach-Colton, and Zito ("Two
/// Simplified Algorithms for Maintaining Order in a List", 2002).
///
/// - Complexity: Everything takes O(log₁₆ *n*) steps from node to node. An insertion relabels O(log *n*) values,
///   amortised, if all values are inserted at one place, and none if they are added at the ends.
@usableFromInline
struct PersistentList<Value> {
    /// The values under their labels.
    @usableFromInline var tree = PersistentTree<Value>()

    /// The distance of labels where there is room: half of the 64 bits, so that 32 values can be inserted at any place
    /// before labels have to move.
    @inlinable static var stride: UInt64 { 1 << 32 }

    @inlinable
    init() {}

    /// Creates a list at once. The labels are those of ``label(of:in:)``.
    ///
    /// - Complexity: O(*n*).
    init(_ values: [Value]) {
        let count = values.count
        tree = PersistentTree(keys: (0..<count).map { Self.label(of: $0, in: count) }, values: values)
    }

    /// The label of the value at a position in a list that was created at once.
    static func label(of position: Int, in count: Int) -> UInt64 {
        let step = Swift.min(stride, UInt64.max / UInt64(count + 1))
        let first = (UInt64.max - step * UInt64(count)) / 2
        return first + step * UInt64(position + 1)
    }

    @inlinable var count: Int { tree.count }

    /// The value at a valid position.
    @inlinable
    subscript(position: Int) -> Value {
        let (leaf, index) = tree.leaf(at: position)
        return leaf.values[index]
    }

    /// The position of the value with a label.
    @inlinable
    func position(of label: UInt64) -> Int? { tree.position(of: label) }

    /// The label of the value at a valid position.
    @inlinable
    func label(at position: Int) -> UInt64 {
        let (leaf, index) = tree.leaf(at: position)
        return leaf.keys[index]
    }

    /// Makes sure that a label is free for a value to be inserted at a position from 0 to ``count``.
    ///
    /// - Returns: The positions of the values that got another label for that; usually none.
    @inlinable
    mutating func makeRoom(at position: Int) -> Range<Int> {
        freeLabel(at: position) == nil ? relabel(around: position) : position..<position
    }

    /// Inserts a value at a position from 0 to ``count``, where ``makeRoom(at:)`` has made room.
    ///
    /// - Returns: The label of the value.
    @inlinable
    mutating func insert(_ value: Value, at position: Int) -> UInt64 {
        guard let label = freeLabel(at: position) else { preconditionFailure("No label is free at \(position).") }
        tree.insert(value, under: label, at: position)
        return label
    }

    /// Removes the value at a valid position.
    @discardableResult
    @inlinable
    mutating func remove(at position: Int) -> Value { tree.remove(at: position) }
}

extension PersistentList: Sendable where Value: Sendable {}

extension PersistentList {
    /// A label between those around a position, if there is one: in the middle, or near its neighbour at the ends.
    @inlinable
    func freeLabel(at position: Int) -> UInt64? {
        let before = position > 0 ? label(at: position - 1) : 0
        let after = position < count ? label(at: position) : .max
        let gap = after - before
        guard gap > 1 else { return nil }
        let half = gap / 2
        if position == 0, position < count { return after - Swift.min(half, Self.stride) }
        if position == count, position > 0 { return before + Swift.min(half, Self.stride) }
        return before + half
    }

    /// Spreads the labels around a position evenly over the smallest aligned range that is sparse enough.
    ///
    /// A range of 2ⁱ labels is sparse enough if it has at most 2^(i/2) values. Small ranges may thus be denser than
    /// large ones, which makes the relabelling amortise.
    ///
    /// - Returns: The positions of the labels.
    @usableFromInline
    mutating func relabel(around position: Int) -> Range<Int> {
        let centre = label(at: Swift.max(position - 1, 0))
        var bits = 12
        while true {
            let span = UInt64.max >> UInt64(64 - bits)
            let first = centre & ~span
            let last = first + span
            let positions = rank(first)..<(last < .max ? rank(last + 1) : count)
            // There are fewer than 2³² values, so that the loop ends with all labels at the latest.
            if positions.count <= 1 << (bits / 2) {
                spread(positions, from: first, over: span)
                return positions
            }
            bits += 2
        }
    }

    /// The number of values with smaller labels.
    private func rank(_ label: UInt64) -> Int { tree.lowerBound(label) ?? count }

    private mutating func spread(_ positions: Range<Int>, from first: UInt64, over size: UInt64) {
        let step = size / UInt64(positions.count + 1)
        var label = first
        for position in positions {
            label += step
            tree.setKey(label, at: position)
        }
    }
}
