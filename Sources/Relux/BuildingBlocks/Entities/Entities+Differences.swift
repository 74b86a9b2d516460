extension Relux.Entities {
    /// The changes that turn an older list into a newer one, with the positions that table and collection views expect.
    ///
    /// The positions of ``removals`` and the `from` of ``moves`` and ``updates`` are those in the old collection. The
    /// positions of ``insertions`` and every `to` are those in the new one. To repeat the change:
    ///
    /// 1. Remove the elements at ``removals`` and at the `from` of each move, from the greatest position to the
    ///    smallest.
    /// 2. Insert the new elements at ``insertions`` and at the `to` of each move, from the smallest to the greatest.
    /// 3. Replace each updated element, which is now at the `to` of its update.
    ///
    /// Views such as `UITableView` do the first two in a batch. They don't allow an element to be moved and reloaded in
    /// the same batch, so reconfigure the elements at the `to` of ``updates`` afterwards.
    public struct Differences: Sendable, Hashable {
        /// The two positions of an element whose id is in both collections.
        public struct Step: Sendable, Hashable {
            /// The position of the element in the old collection.
            public let from: Int

            /// The position of the element in the new collection.
            public let to: Int

            /// Creates a step between two positions.
            public init(from: Int, to: Int) {
                self.from = from
                self.to = to
            }
        }

        /// The positions of the elements that only the old collection has, in ascending order.
        public internal(set) var removals: [Int] = []

        /// The positions of the elements that only the new collection has, in ascending order.
        public internal(set) var insertions: [Int] = []

        /// The elements that have to move, in ascending order of their new positions. They are as few as possible: the
        /// others have the same order in both collections.
        public internal(set) var moves: [Step] = []

        /// The elements that are not equal in the two collections, in ascending order of their new positions. An
        /// element may have moved as well.
        public internal(set) var updates: [Step] = []

        /// Whether both collections have equal elements in the same order.
        public var isEmpty: Bool {
            removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
        }
    }
}

extension Relux.Entities where Element: Equatable {
    /// The changes that turn an older collection into this one.
    ///
    /// Elements are the same if their ids are equal. Comparing a collection with what it was before a few changes is
    /// cheap, because both share the rest.
    ///
    /// - Complexity: O(*n* log *n*). If this collection is a changed copy of the old one, or the reverse, and no labels
    ///   had to be renewed, O(*m* log *m*) for *m* = *d* log *n*, where *d* is the number of changed elements.
    public func differences(from old: Self) -> Differences {
        let parts = slots.tree.parts(since: old.slots.tree)
        var lost = Dictionary(
            parts.old.compactMap { position, element in element.map { ($0.id, (position: position, element: $0)) } },
            uniquingKeysWith: { first, _ in first })
        var differences = Differences()
        var runs = parts.shared
        for case (let position, let element?) in parts.new {
            guard let (oldPosition, oldElement) = lost.removeValue(forKey: element.id) else {
                differences.insertions.append(position)
                continue
            }
            runs.append(SharedRun(from: oldPosition, to: position, count: 1))
            if element != oldElement {
                differences.updates.append(.init(from: oldPosition, to: position))
            }
        }
        differences.removals = lost.values.map(\.position).sorted()
        differences.moves = Self.moves(of: runs)
        return differences
    }

    /// The ids of the elements that an older collection doesn't have, or has otherwise, and of those that only the
    /// older one has.
    ///
    /// - Complexity: As that of ``differences(from:)``, without the moves.
    func changedIDs(since old: Self) -> [Element.ID] {
        let parts = slots.tree.parts(since: old.slots.tree)
        var lost = Dictionary(
            parts.old.compactMap { $1.map { ($0.id, $0) } }, uniquingKeysWith: { first, _ in first })
        let changed = parts.new.compactMap { $1 }.filter { lost.removeValue(forKey: $0.id) != $0 }
        return changed.map(\.id) + parts.old.compactMap { $1?.id }.filter { lost[$0] != nil }
    }

    /// The fewest moves that bring runs of elements from their old order into their new one.
    private static func moves(of runs: [SharedRun]) -> [Differences.Step] {
        let runs = runs.sorted { $0.to < $1.to }
        var ranks = Array(repeating: 0, count: runs.count)
        for (rank, index) in runs.indices.sorted(by: { runs[$0].from < runs[$1].from }).enumerated() {
            ranks[index] = rank
        }
        let stays = heaviestIncreasingSubsequence(ranks, weights: runs.map(\.count))
        return zip(runs, stays).flatMap { run, stays in
            stays ? [] : (0..<run.count).map { .init(from: run.from + $0, to: run.to + $0) }
        }
    }
}
