import ReluxTesting
import Testing

@testable import Relux

@Suite("Sets and lists of runs with inline room for one")
struct TinySetTests {
    @Test("it agrees with a set after any insertions and removals", arguments: 0..<10 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var set = TinySet()
        var model: Set<UInt64> = []

        for _ in 0..<500 {
            let run = UInt64.random(in: 1...4, using: &random)
            if Bool.random(using: &random) {
                set.insert(run)
                model.insert(run)
            } else {
                set.remove(run)
                model.remove(run)
            }
            #expect(set.sorted == model.sorted())
            #expect(set.isEmpty == model.isEmpty)
        }
    }

    @Test("sets are equal if they have the same elements, however these were inserted")
    func equality() {
        var one = TinySet()
        one.insert(1)
        var other = TinySet()
        for run in 1...2 as ClosedRange<UInt64> { other.insert(run) }

        #expect(one != other)
        other.remove(2)
        #expect(one == other)
    }

    @Test("a list keeps its order", arguments: 0..<4)
    func list(count: Int) {
        var list = TinyList<Int>()
        for number in 0..<count { list.append(10 - number) }
        var visited: [Int] = []
        list.forEach { visited.append($0) }

        #expect(list.elements == (0..<count).map { 10 - $0 })
        #expect(visited == list.elements)
        #expect(list.isEmpty == (count == 0))
    }
}
