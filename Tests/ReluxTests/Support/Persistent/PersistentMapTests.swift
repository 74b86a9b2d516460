import ReluxTesting
import Testing

@testable import Relux

@Suite("Persistent maps", .timeLimit(.minutes(10)))
struct PersistentMapTests {
    /// A key whose hash has as few values as the test wants.
    struct Key: Hashable {
        let number: Int
        let hashes: Int

        static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }

        func hash(into hasher: inout Hasher) { hasher.combine(number % hashes) }
    }

    @Test(
        "any changes agree with a dictionary, even if hashes are equal, and leave every copy as it was",
        arguments: [1, 2, 7, 1_000], 0..<3 as Range<UInt64>)
    func model(hashes: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var map = PersistentMap<Key, Int>()
        var model: [Int: Int] = [:]
        var copies: [(map: PersistentMap<Key, Int>, model: [Int: Int])] = []

        for step in 0..<1_500 {
            let number = Int.random(in: 0..<150, using: &random)
            let key = Key(number: number, hashes: hashes)
            #expect(map[key] == model[number], "step \(step)")
            if Int.random(in: 0..<5, using: &random) < 3 {
                map.set(key, to: step)
                model[number] = step
            } else {
                #expect(map.remove(key) == model.removeValue(forKey: number), "step \(step)")
            }
            #expect(map.count == model.count)
            if step.isMultiple(of: 100) {
                copies.append((map, model))
                #expect(map.tree.faults.isEmpty, "step \(step)")
            }
        }

        copies.append((map, model))
        for copy in copies {
            for number in 0..<150 {
                #expect(copy.map[Key(number: number, hashes: hashes)] == copy.model[number])
            }
        }
    }

    @Test("a map made at once has the first of equal keys, and names the others", arguments: [1, 3, 1_000])
    func building(hashes: Int) {
        let numbers = (0..<300).map { $0 % 200 }
        var found: [Int: Int] = [:]

        let map = PersistentMap(numbers.map { Key(number: $0, hashes: hashes) }) {
            $0
        } foundAgain: { index, first in
            found[index] = first
        }

        #expect(found == Dictionary(uniqueKeysWithValues: (200..<300).map { ($0, $0 - 200) }))
        #expect(map.count == 200)
        #expect(map.tree.faults.isEmpty)
        #expect((0..<200).allSatisfy { map[Key(number: $0, hashes: hashes)] == $0 })
        #expect(map[Key(number: 200, hashes: hashes)] == nil)
    }

    @Test("every key is found, and the nodes stay few", arguments: [1, 100, 10_000])
    func depth(count: Int) {
        let map = PersistentMap(Array(0..<count), value: { $0 }, foundAgain: { _, _ in })

        #expect((0..<count).allSatisfy { map[$0] == $0 })
        #expect(map.tree.height <= 3)
        #expect(map[-1] == nil)
    }
}
