/// The ids that the entries of a stack have had.
struct EntryIDs: Sendable, Codable {
    /// Those that were used since the stack was created.
    private var used = IDRanges()
    /// Those of them that a caller has chosen.
    private var chosen = IDRanges()
    /// Those that were used by the values that a reset or an undo has replaced.
    private var former = IDRanges()

    /// Uses the id after the highest one; if there is none, the highest unused one.
    ///
    /// - Returns: The id; nil if all have been used.
    mutating func next() -> UInt64? {
        let highest = max(used.highest ?? 0, former.highest ?? 0)
        guard let id = highest < .max ? highest + 1 : used.union(former).highestUnused else { return nil }
        used.insert(id)
        return id
    }

    /// Uses an id that a caller has chosen.
    ///
    /// - Returns: Whether it wasn't used since the stack was created. Otherwise, nothing has changed.
    /// - Complexity: O(1) for an id above all others, otherwise O(*g*) in the number of gaps between the ids.
    mutating func use(_ id: UInt64) -> Bool {
        guard used.insert(id) else { return false }
        chosen.insert(id)
        return true
    }

    /// Whether an id was given, and not chosen.
    func hasCounted(_ id: AnySendableHashable) -> Bool {
        id.value(as: UInt64.self).map { used.contains($0) && !chosen.contains($0) } ?? false
    }

    /// Uses ids that were decoded.
    mutating func use(_ ids: [UInt64]) { for id in ids { used.insert(id) } }

    /// Notes the ids of an earlier value, so that no entry gets one of them unless a caller chooses it.
    ///
    /// - Parameters:
    ///   - entries: The entries of the value whose ids these are.
    ///   - shown: Those that the earlier value shows. They keep their ids, as do those whose ids were chosen, or are
    ///     new to the earlier value, such as those that another store has used.
    /// - Returns: The others with new ids, by their present ones.
    mutating func carryOn<Page>(
        from earlier: EntryIDs, renewing entries: [Relux.Navigation.Stack<Page>.Entry],
        except shown: [Relux.Navigation.Stack<Page>.Entry]
    ) -> [UInt64: Relux.Navigation.Stack<Page>.Entry] {
        let known = earlier.former.union(earlier.used)
        former = former.union(known)
        let shown = Dictionary(uniqueKeysWithValues: shown.map { ($0.id, $0.page) })
        var renewed: [UInt64: Relux.Navigation.Stack<Page>.Entry] = [:]
        for entry in entries where shown[entry.id] != entry.page && known.contains(entry.id) {
            if !chosen.contains(entry.id), let id = next() { renewed[entry.id] = .init(id: id, page: entry.page) }
        }
        return renewed
    }
}

/// A set of numbers, as ascending ranges with gaps between them.
private struct IDRanges: Sendable {
    private var ranges: [ClosedRange<UInt64>] = []

    init() {}

    /// - Parameter ranges: They may be in any order, and overlap.
    /// - Complexity: O(*g* log *g*) in the number of ranges.
    private init(_ ranges: [ClosedRange<UInt64>]) {
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = self.ranges.last, last.upperBound == .max || range.lowerBound <= last.upperBound + 1 {
                self.ranges[self.ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    var highest: UInt64? { ranges.last?.upperBound }

    /// The highest number that isn't in the set; nil if there is none.
    var highestUnused: UInt64? {
        guard let top = ranges.last, top.upperBound == .max else { return .max }
        return top.lowerBound > 0 ? top.lowerBound - 1 : nil
    }

    /// - Complexity: O(log *g*) in the number of ranges.
    func contains(_ id: UInt64) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < id { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(id)
    }

    /// Adds a number.
    ///
    /// - Returns: Whether it is new.
    @discardableResult
    mutating func insert(_ id: UInt64) -> Bool {
        // Nearly always, a number follows the highest one.
        let position = (ranges.lastIndex { $0.lowerBound <= id } ?? -1) + 1
        if position > 0, ranges[position - 1].contains(id) { return false }
        let followsRange = position > 0 && ranges[position - 1].upperBound + 1 == id
        let precedesRange = position < ranges.count && ranges[position].lowerBound - 1 == id
        switch (followsRange, precedesRange) {
        case (false, false): ranges.insert(id...id, at: position)
        case (true, false): ranges[position - 1] = ranges[position - 1].lowerBound...id
        case (false, true): ranges[position] = id...ranges[position].upperBound
        case (true, true):
            let joined = ranges[position - 1].lowerBound...ranges[position].upperBound
            ranges.replaceSubrange(position - 1...position, with: [joined])
        }
        return true
    }

    /// The numbers of both sets.
    ///
    /// - Complexity: O(*g* log *g*) in the ranges of both.
    func union(_ other: IDRanges) -> IDRanges {
        if other.ranges.isEmpty { return self }
        return ranges.isEmpty ? other : IDRanges(ranges + other.ranges)
    }
}

extension IDRanges: Codable {
    init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([ClosedRange<UInt64>].self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ranges)
    }
}
