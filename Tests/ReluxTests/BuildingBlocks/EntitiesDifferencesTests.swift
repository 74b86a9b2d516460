import Relux
import ReluxTesting
import Testing

@Suite("Entities: differences", .timeLimit(.minutes(10)))
struct EntitiesDifferencesTests {
    struct Item: Identifiable, Equatable {
        var id: Int
        var value = 0
    }

    typealias Items = Relux.Entities<Item>

    @Test(
        "applying the differences to the old order gives the new one, whether nodes are shared or not",
        arguments: 0..<40 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = seed.isMultiple(of: 2) ? 12 : 400
        var old = items(Array(0..<count))
        var new = old

        for round in 0..<10 {
            for _ in 0..<Int.random(in: 0...8, using: &random) { change(&new, count, using: &random) }

            let rebuilt = Items(Array(new), keeping: .first)
            let differences = new.differences(from: old)
            #expect(apply(differences, from: old, to: new) == Array(new), "seed \(seed), round \(round)")
            #expect(differences.isEmpty == (new == old), "seed \(seed), round \(round)")
            expectMinimal(differences, from: old, to: new)
            // Without shared nodes, the same is found. Of several smallest sets of moves, it may be another.
            let unshared = rebuilt.differences(from: old)
            #expect(unshared.removals == differences.removals)
            #expect(unshared.insertions == differences.insertions)
            #expect(unshared.updates == differences.updates)
            #expect(unshared.moves.count == differences.moves.count)
            if Bool.random(using: &random) { swap(&old, &new) } else { old = new }
        }
    }

    @Test("comparing a changed copy of 40,000 elements looks at few of them")
    func cost() {
        let comparisons = RelaxedCounter()
        let old = Relux.Entities((0..<40_000).map { CountedItem(id: $0, comparisons: comparisons) }, keeping: .first)
        var new = old
        new[id: 500]?.value = 1
        new.remove(id: 30_000)
        new.move(id: 10, to: 39_000)
        _ = new.insert(CountedItem(id: -1, comparisons: comparisons), at: 20_000)

        let before = comparisons.count
        let differences = new.differences(from: old)

        // At most the elements of one leaf for each change.
        #expect(comparisons.count - before <= 10 * 32)
        #expect(differences.updates.map { [$0.from, $0.to] } == [[500, 499]])
        #expect(differences.removals == [30_000])
        #expect(differences.moves.map { [$0.from, $0.to] } == [[10, 39_001]])
        #expect(differences.insertions == [20_000])
    }

    /// An element that counts how often two are compared.
    private struct CountedItem: Identifiable, Equatable {
        let id: Int
        var value = 0
        let comparisons: RelaxedCounter

        static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.comparisons.increment()
            return lhs.id == rhs.id && lhs.value == rhs.value
        }
    }

    private func items(_ ids: [Int]) -> Items { Items(ids.map { Item(id: $0) }, keeping: .first) }

    private func change(_ items: inout Items, _ count: Int, using random: inout SeededGenerator) {
        let id = Int.random(in: 0..<count, using: &random)
        let position = Int.random(in: 0...items.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: items.remove(id: id)
        case 1: _ = items.insert(Item(id: id, value: 1), at: position)
        case 2: items[id: id]?.value += 1
        case 3: items[id: id]?.id = Int.random(in: 0..<count, using: &random)
        case 4: items.move(id: id, to: position)
        default: if position.isMultiple(of: 5) { items.sort { $0.value < $1.value } }
        }
    }

    /// Repeats a change as a table view does.
    private func apply(_ differences: Items.Differences, from old: Items, to new: Items) -> [Item] {
        var list = Array(old)
        for position in (differences.removals + differences.moves.map(\.from)).sorted(by: >) {
            list.remove(at: position)
        }
        let moved = differences.moves.map { (to: $0.to, element: old[$0.from]) }
        let inserted = differences.insertions.map { (to: $0, element: new[$0]) }
        for (position, element) in (moved + inserted).sorted(by: { $0.to < $1.to }) {
            list.insert(element, at: position)
        }
        // An element with another id is another element.
        for step in differences.moves + differences.updates { #expect(old[step.from].id == new[step.to].id) }
        for update in differences.updates {
            #expect(list[update.to] == old[update.from])
            list[update.to] = new[update.to]
        }
        return list
    }

    /// Expects that no fewer moves would do: as many elements stay as the longest increasing subsequence has.
    private func expectMinimal(_ differences: Items.Differences, from old: Items, to new: Items) {
        let places = new.ids.compactMap(old.position(id:))
        // The smallest last place of an increasing subsequence of each length.
        var ends: [Int] = []
        for place in places {
            let index = ends.firstIndex { $0 >= place } ?? ends.count
            if index == ends.count { ends.append(place) } else { ends[index] = place }
        }
        #expect(differences.moves.count == places.count - ends.count)
    }
}
