/// A set of runs with room for one of them in place: most groups have one member, and most runs have no child.
struct RunSet: Sendable, Equatable {
    /// The only member, or 0 where there is none, or more than one.
    private var lone: RunTable.RunID = 0
    /// The members where there is more than one, or was since the set was last empty.
    private var many: Set<RunTable.RunID> = []

    var isEmpty: Bool { lone == 0 && many.isEmpty }

    /// In the order of their making. O(n log n).
    var sorted: [RunTable.RunID] {
        if lone != 0 { return [lone] }
        return many.isEmpty ? [] : many.sorted()
    }

    mutating func insert(_ run: RunTable.RunID) {
        if isEmpty {
            lone = run
        } else if lone != run {
            if lone != 0 { many.insert(lone) }
            lone = 0
            many.insert(run)
        }
    }

    mutating func remove(_ run: RunTable.RunID) {
        if lone == run {
            lone = 0
        } else if !many.isEmpty {
            many.remove(run)
        }
    }

    static func == (lhs: RunSet, rhs: RunSet) -> Bool { lhs.sorted == rhs.sorted }
}
