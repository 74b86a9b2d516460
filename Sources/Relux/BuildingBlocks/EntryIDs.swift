/// The ids that the entries of a stack have had.
struct EntryIDs: Sendable {
    /// The highest id that was used.
    private var highest: UInt64 = 0
    /// The lower ids that were never used, in ascending order. Gaps arise only from chosen ids.
    private var gaps: [ClosedRange<UInt64>] = [0...0]

    /// Uses the id after the highest one; if there is none, an unused one.
    ///
    /// - Returns: The id; nil if all have been used.
    mutating func next() -> UInt64? {
        guard let id = highest < .max ? highest + 1 : gaps.last?.upperBound, use(id) else { return nil }
        return id
    }

    /// Uses an id.
    ///
    /// - Returns: Whether it was never used before. Otherwise, nothing has changed.
    /// - Complexity: O(1) for an id above all others, otherwise O(*g*) in the number of gaps.
    mutating func use(_ id: UInt64) -> Bool {
        if id > highest {
            if id - highest > 1 { gaps.append(highest + 1...id - 1) }
            highest = id
            return true
        }
        guard let position = gaps.lastIndex(where: { $0.contains(id) }) else { return false }
        let gap = gaps[position]
        var rest: [ClosedRange<UInt64>] = []
        if gap.lowerBound < id { rest.append(gap.lowerBound...id - 1) }
        if id < gap.upperBound { rest.append(id + 1...gap.upperBound) }
        gaps.replaceSubrange(position...position, with: rest)
        return true
    }
}
