import SampleServices

extension Items.List {
    /// What has changed between two lists.
    ///
    /// An item that has got another order without changing its place among the others hasn't moved: that happens to all
    /// of them when they are renumbered. Of items that have changed places with each other, as few as possible have
    /// moved, and never one whose order is as it was.
    ///
    /// - Parameter former: The earlier list.
    /// - Returns: What is gone, in the order of the earlier list; then the others, in the order of this one. An item
    ///   that is different in several ways comes several times.
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

    /// Which active items stand elsewhere among the active ones, with their positions, from 1, in both lists.
    private func moves(since former: Items.List) -> [Item.ID: (from: Int, to: Int)] {
        let before = Dictionary(zip(former.active.map(\.id), former.active.indices)) { first, _ in first }
        // Those that are active in both lists, by where they stood.
        let shared = active.indices.compactMap { index in
            before[active[index].id].map { (from: $0, to: index) }
        }
        var moves: [Item.ID: (from: Int, to: Int)] = [:]
        var (gap, lower) = ([(from: Int, to: Int)](), -1)
        // What has its order as before stands among its like as before; between two of them the others are looked at.
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

    /// The longest part of different numbers that rises.
    private static func longestRise(in numbers: [Int]) -> [Int] {
        // The place of the least number that ends a rise, by the length of the rise.
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
