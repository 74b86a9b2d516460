import ReluxTesting
import Testing

@testable import Relux

@Suite("Persistent trees: what two of them share", .timeLimit(.minutes(10)))
struct PersistentTreeTests {
    typealias List = PersistentList<Int>

    @Test("parts and equality agree with those of arrays, whatever was changed", arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var old = List(Array(0..<Int.random(in: 0...1_500, using: &random)))
        var new = old

        for round in 0..<12 {
            for _ in 0..<Int.random(in: 0...6, using: &random) { change(&new, using: &random) }
            let (olds, news) = (Array(old.tree), Array(new.tree))

            #expect(new.tree.hasEqualValues(as: old.tree) == (news == olds), "seed \(seed), round \(round)")
            let parts = new.tree.parts(since: old.tree)
            expect(parts, divide: olds, news)

            // Sometimes the two go different ways, so that neither is an ancestor of the other.
            if Bool.random(using: &random) { swap(&old, &new) }
            if round.isMultiple(of: 4) { old = new }
        }
    }

    @Test("a copy with one change shares all but one leaf, at whatever place", arguments: [0, 50_000, 99_999])
    func sharing(position: Int) {
        let old = List(Array(0..<100_000))
        var changed = old
        var longer = old

        let (leaf, index) = changed.tree.ownLeaf(at: position)
        leaf.values[index] = -1
        _ = longer.makeRoom(at: position)
        _ = longer.insert(-1, at: position)

        #expect(looseCount(changed, old) <= 64)
        #expect(looseCount(longer, old) <= 65)
        #expect(!changed.tree.hasEqualValues(as: old.tree))
        longer.remove(at: position)
        #expect(longer.tree.hasEqualValues(as: old.tree))
    }

    @Test("equal values are found equal, whatever the nodes are")
    func shapes() {
        let whole = List(Array(0..<5_000))
        var grown = List()
        for number in 0..<5_000 {
            let position = number % 2 == 0 ? number / 2 : grown.count
            _ = grown.makeRoom(at: position)
            _ = grown.insert(number % 2 == 0 ? number / 2 : 2_500 + number / 2, at: position)
        }

        #expect(Array(grown.tree) == Array(whole.tree))
        #expect(grown.tree.hasEqualValues(as: whole.tree))
        let (leaf, index) = grown.tree.ownLeaf(at: 4_999)
        leaf.values[index] = 0
        #expect(!grown.tree.hasEqualValues(as: whole.tree))
        #expect(List().tree.hasEqualValues(as: List().tree))
        #expect(!List().tree.hasEqualValues(as: whole.tree))
    }

    @Test("one different value is found, wherever it is, though the nodes of both trees hold different numbers of them")
    func oneDifference() {
        let base = List(Array(repeating: 0, count: 200))
        for position in 0..<200 {
            var one = base
            let (leaf, index) = one.tree.ownLeaf(at: position)
            leaf.values[index] = 1
            // The same leaf begins at different positions in the two trees.
            var shifted = one
            let isNearStart = position < 100
            shifted.remove(at: isNearStart ? 150 : 0)
            _ = shifted.makeRoom(at: isNearStart ? 0 : 199)
            _ = shifted.insert(0, at: isNearStart ? 0 : 199)
            let rebuilt = List(Array(one.tree))

            #expect(!shifted.tree.hasEqualValues(as: one.tree), "\(position)")
            #expect(!shifted.tree.hasEqualValues(as: rebuilt.tree), "\(position)")
            #expect(shifted.tree.hasEqualValues(as: List(Array(shifted.tree)).tree), "\(position)")
            var values = Array(shifted.tree)
            values[position] = 2
            #expect(!shifted.tree.hasEqualValues(as: List(values).tree), "\(position)")
        }
    }

    @Test(
        "the last value is removed soundly, whatever the nodes at the right edge hold",
        // In the others, the branch before the one at the edge has room for it.
        arguments: (1_020...1_092).map { ($0, 0) } + (1...80).map { (1_026, $0) })
    func removeLast(count: Int, removed: Int) {
        var list = List()
        for number in 0..<count { _ = list.insert(number, at: number) }
        for _ in 0..<removed { list.remove(at: 0) }

        list.remove(at: list.count - 1)

        #expect(list.tree.faults == [])
        #expect(Array(list.tree) == Array(removed..<count - 1))
    }

    @Test("the first match is found", arguments: [0, 1, 31, 32, 33, 1_024, 5_000])
    func partition(count: Int) {
        let list = List(Array(0..<count))

        for point in Set([0, 1, count / 3, count / 2, count - 1, count]).filter({ 0...count ~= $0 }) {
            var calls = 0
            let found = list.tree.partitionPoint {
                calls += 1
                return $0 >= point
            }
            #expect(found == point)
            #expect(calls <= 18)
        }
    }

    @Test("an iterator visits the values as they were when it was made")
    func iteration() {
        var list = List(Array(0..<100))
        var iterator = list.tree.makeIterator()
        _ = iterator.next()

        let (leaf, index) = list.tree.ownLeaf(at: 1)
        leaf.values[index] = -1
        for _ in 0..<50 { list.remove(at: 20) }

        #expect(Array(IteratorSequence(iterator)) == Array(1..<100))
        #expect(list[1] == -1)
    }

    private func change(_ list: inout List, using random: inout SeededGenerator) {
        let position = Int.random(in: 0...list.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            _ = list.makeRoom(at: position)
            _ = list.insert(Int.random(in: 10_000..<20_000, using: &random), at: position)
        case 1 where position < list.count:
            list.remove(at: position)
        case 2 where position < list.count:
            let (leaf, index) = list.tree.ownLeaf(at: position)
            leaf.values[index] = Int.random(in: 20_000..<30_000, using: &random)
        default:
            break
        }
    }

    /// Expects that the parts are disjoint, complete and correct.
    private func expect(
        _ parts: PersistentTree<Int>.Parts, divide olds: [Int], _ news: [Int],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let oldPositions = parts.old.map(\.position) + parts.shared.flatMap { $0.from..<$0.from + $0.count }
        let newPositions = parts.new.map(\.position) + parts.shared.flatMap { $0.to..<$0.to + $0.count }
        #expect(oldPositions.sorted() == Array(olds.indices), sourceLocation: sourceLocation)
        #expect(newPositions.sorted() == Array(news.indices), sourceLocation: sourceLocation)
        #expect(parts.old.allSatisfy { olds[$0.position] == $0.value }, sourceLocation: sourceLocation)
        #expect(parts.new.allSatisfy { news[$0.position] == $0.value }, sourceLocation: sourceLocation)
        for run in parts.shared {
            let shared = olds[run.from..<run.from + run.count]
            #expect(news[run.to..<run.to + run.count] == shared, sourceLocation: sourceLocation)
        }
        #expect(parts.shared.map(\.from) == parts.shared.map(\.from).sorted(), sourceLocation: sourceLocation)
    }

    private func looseCount(_ new: List, _ old: List) -> Int {
        let parts = new.tree.parts(since: old.tree)
        return parts.old.count + parts.new.count
    }
}
