import ReluxTesting
import Testing

@testable import Relux

@Suite("Persistent lists", .timeLimit(.minutes(10)))
struct PersistentListTests {
    @Test("any changes agree with an array, and leave every copy as it was", arguments: 0..<12 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var subject = Labelled()
        var model: [Int] = []
        var copies: [(list: PersistentList<Int>, model: [Int])] = []
        // Half of the runs grow first and then shrink, so that nodes of every level are split and merged.
        let isGrowing = seed.isMultiple(of: 2)

        for step in 0..<3_000 {
            let grows = isGrowing ? step < 2_000 : Bool.random(using: &random)
            if grows || model.isEmpty {
                // Mostly near one place, so that its labels have to be spread again and again.
                let middle = model.count / 2
                let position =
                    step.isMultiple(of: 4) ? Int.random(in: 0...model.count, using: &random) : min(middle, model.count)
                subject.insert(step, at: position)
                model.insert(step, at: position)
            } else if step.isMultiple(of: 5) {
                let position = Int.random(in: 0..<model.count, using: &random)
                subject.set(-step, at: position)
                model[position] = -step
            } else {
                let position = Int.random(in: 0..<model.count, using: &random)
                #expect(subject.remove(at: position) == model.remove(at: position), "seed \(seed), step \(step)")
            }
            if step.isMultiple(of: 97) {
                copies.append((subject.list, model))
                #expect(Array(subject.list.tree) == model, "seed \(seed), step \(step)")
                #expect(subject.list.tree.faults.isEmpty, "seed \(seed), step \(step)")
                #expect(subject.labels == subject.list.tree.keys, "seed \(seed), step \(step)")
            }
        }

        for copy in copies {
            #expect(Array(copy.list.tree) == copy.model)
            #expect(copy.list.tree.faults.isEmpty)
        }
        for (position, label) in subject.labels.enumerated() {
            #expect(subject.list.position(of: label) == position)
            #expect(subject.list[position] == model[position])
        }
    }

    @Test(
        "a list made at once is sound, and as low as possible",
        arguments: [(0, 0), (1, 1), (32, 1), (33, 2), (1_000, 2), (1_025, 3), (32_769, 4), (100_000, 4)])
    func building(count: Int, height: Int) {
        let list = PersistentList(Array(0..<count))

        #expect(list.count == count)
        #expect(Array(list.tree) == Array(0..<count))
        #expect(list.tree.faults.isEmpty)
        #expect(list.tree.height == height)
        #expect(list.tree.keys == (0..<count).map { PersistentList<Int>.label(of: $0, in: count) })
    }

    @Test("values added at either end need no new labels and leave nodes full")
    func ends() {
        var back = PersistentList<Int>()
        var front = PersistentList<Int>()

        for number in 0..<2_000 {
            #expect(back.makeRoom(at: number).isEmpty)
            _ = back.insert(number, at: number)
            #expect(front.makeRoom(at: 0).isEmpty)
            _ = front.insert(number, at: 0)
        }

        #expect(Array(back.tree) == Array(0..<2_000))
        #expect(Array(front.tree) == (0..<2_000).reversed())
        #expect(back.tree.faults.isEmpty && front.tree.faults.isEmpty)
        #expect(back.tree.height == 3)
    }

    @Test("inserting at one place relabels few values each time", arguments: [0, 1, 1_000, 1_999])
    func onePlace(place: Int) {
        var list = PersistentList(Array(0..<2_000))
        var relabelled = 0

        for number in 0..<4_000 {
            relabelled += list.makeRoom(at: place).count
            _ = list.insert(number, at: place)
        }

        let keys = list.tree.keys
        #expect(Set(keys).count == 6_000)
        #expect(keys == keys.sorted())
        #expect(relabelled < 4_000 * 24)
    }

    @Test("removing all values in any order leaves an empty list", arguments: 0..<4 as Range<UInt64>)
    func emptying(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var list = PersistentList(Array(0..<1_500))
        let copy = list

        while list.count > 0 {
            list.remove(at: Int.random(in: 0..<list.count, using: &random))
            if list.count.isMultiple(of: 100) { #expect(list.tree.faults.isEmpty, "\(list.count)") }
        }

        #expect(list.tree.isEmpty)
        #expect(Array(list.tree) == [])
        #expect(Array(copy.tree) == Array(0..<1_500))
    }
}

extension PersistentListTests {
    /// A list beside the labels that it should have, as far as it reported them.
    private struct Labelled {
        private(set) var list = PersistentList<Int>()
        private(set) var labels: [UInt64] = []

        mutating func insert(_ value: Int, at position: Int) {
            for relabelled in list.makeRoom(at: position) {
                labels[relabelled] = list.label(at: relabelled)
            }
            labels.insert(list.insert(value, at: position), at: position)
        }

        mutating func set(_ value: Int, at position: Int) {
            guard let (leaf, index) = list.tree.ownLeaf(of: labels[position]) else {
                Issue.record("There is no leaf.")
                return
            }
            leaf.values[index] = value
        }

        mutating func remove(at position: Int) -> Int {
            labels.remove(at: position)
            return list.remove(at: position)
        }
    }
}
