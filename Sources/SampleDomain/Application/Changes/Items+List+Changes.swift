import SampleServices

extension Items.List {
    /// The differences between two lists.
    ///
    /// An item that has a different order, but the same position relative to the others, hasn't moved: renumbering
    /// changes the order of all items. When items swap positions, as few of them as possible count as moved, and never
    /// one whose order is unchanged.
    ///
    /// - Parameter former: The earlier list.
    /// - Returns: The deleted items in the order of the earlier list, followed by all others in the order of this one.
    ///   An item that differs in several ways appears several times.
    /// - Complexity: O(*n* log *n*) in the number of items.
    public func changes(since former: Items.List) -> [Items.Change] {
        let known = Dictionary(former.all.map { ($0.id, $0) }) { first, _ in first }
        let present = Set(all.map(\.id))
        let moves = moves(since: former)
        let gone = former.all.filter { !present.contains($0.id) }.map(Items.Change.deleted)
        return gone
            + all.flatMap { item -> [Items.Change] in
                guard let before = known[item.id] else { return [.added(item)] }
                if before == item { return [] }
                var changes: [Items.Change] = []
                if before.title != item.title { changes.append(.renamed(item, from: before.title)) }
                if before.completed != item.completed {
                    changes.append(item.completed == nil ? .reopened(item) : .completed(item))
                }
                if let (from, to) = moves[item.id] { changes.append(.moved(item, from: from, to: to)) }
                return changes
            }
    }

    /// The active items that have moved among the active ones, with their positions in both lists, starting at 1.
    private func moves(since former: Items.List) -> [Item.ID: (from: Int, to: Int)] {
        let before = Dictionary(zip(former.active.map(\.id), former.active.indices)) { first, _ in first }
        // The items that are active in both lists, with their earlier and current indexes.
        let shared = active.indices.compactMap { index in
            before[active[index].id].map { (from: $0, to: index) }
        }
        var moves: [Item.ID: (from: Int, to: Int)] = [:]
        var (gap, lower) = ([(from: Int, to: Int)](), -1)
        // Items with an unchanged order keep their relative positions. The items in the gap between two of them are
        // examined separately.
        func close(below upper: Int) {
            let candidates = gap.filter { $0.from > lower && $0.from < upper }
            let staying = Set(Self.longestRise(in: candidates.map(\.from)))
            for item in gap where !staying.contains(item.from) {
                moves[active[item.to].id] = (item.from + 1, item.to + 1)
            }
            gap = []
        }
        for item in shared {
            if former.active[item.from].order == active[item.to].order {
                close(below: item.from)
                lower = item.from
            } else {
                gap.append(item)
            }
        }
        close(below: former.active.count)
        return moves
    }

    /// The longest increasing subsequence of distinct numbers.
    private static func longestRise(in numbers: [Int]) -> [Int] {
        // For each length of a subsequence, the index of the smallest number that ends one.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: numbers.count)
        for place in numbers.indices {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < numbers[place] { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[place] = ends[low - 1] }
            if low == ends.count { ends.append(place) } else { ends[low] = place }
        }
        var (rise, place) = ([Int](), ends.last)
        while let standing = place {
            rise.append(numbers[standing])
            place = previous[standing]
        }
        return rise
    }
}
