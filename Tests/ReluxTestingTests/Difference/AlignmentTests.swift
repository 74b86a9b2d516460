import ReluxTesting
import Testing

@Suite("Alignment", .timeLimit(.minutes(10)))
struct AlignmentTests {
    @Test("every element is part of one step, in order, and as many as possible stay", arguments: 0..<300)
    func byLikeness(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let old = letters(&generator)
        let new = letters(&generator)

        let alignment = Alignment(expected: old.count, actual: new.count) { old[$0] == new[$1] }

        #expect(alignment.steps.compactMap(\.old) == Array(old.indices))
        #expect(alignment.steps.compactMap(\.new) == Array(new.indices))
        let same = alignment.steps.compactMap(\.samePair)
        #expect(same.allSatisfy { old[$0.0] == new[$0.1] })
        #expect(same.count == commonLength(old[...], new[...]))
    }

    @Test("with ids, every element is part of one step, and as few as possible have moved", arguments: 0..<300)
    func byIdentity(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let old = Set(letters(&generator)).sorted().shuffled(using: &generator)
        let new = Set(letters(&generator)).sorted().shuffled(using: &generator)

        let alignment = Alignment(expected: old.map { $0 }, actual: new.map { $0 })

        #expect(alignment.steps.compactMap(\.old).sorted() == Array(old.indices))
        #expect(alignment.steps.compactMap(\.new) == Array(new.indices))
        let pairs = alignment.steps.compactMap(\.bothPair)
        #expect(pairs.allSatisfy { old[$0.0] == new[$0.1] })
        #expect(pairs.count == Set(old).intersection(new).count)
        let kept = alignment.steps.filter { if case .pair = $0 { true } else { false } }
        #expect(kept.count == commonLength(old[...], new[...]))
    }

    @Test("lists that are too different for the given effort are paired index by index")
    func effort() {
        let alignment = Alignment(expected: 3, actual: 4, effort: 1) { $0 == 1 && $1 == 2 }

        #expect(alignment.steps == [.pair(0, 0), .pair(1, 1), .pair(2, 2), .inserted(3)])
    }

    private func letters(_ generator: inout SeededGenerator) -> [Int] {
        (0..<generator.next(below: 9)).map { _ in generator.next(below: 5) }
    }

    /// Returns the length of a longest common subsequence, by exhaustive search.
    private func commonLength(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>) -> Int {
        guard let first = old.first, let other = new.first else { return 0 }
        if first == other { return 1 + commonLength(old.dropFirst(), new.dropFirst()) }
        return max(commonLength(old.dropFirst(), new), commonLength(old, new.dropFirst()))
    }
}

extension Alignment.Step {
    fileprivate var samePair: (Int, Int)? {
        if case .same(let old, let new) = self { (old, new) } else { nil }
    }

    fileprivate var bothPair: (Int, Int)? {
        switch self {
        case .same(let old, let new), .pair(let old, let new), .moved(let old, let new): (old, new)
        case .removed, .inserted: nil
        }
    }

    fileprivate var old: Int? {
        if case .removed(let old) = self { old } else { bothPair?.0 }
    }

    fileprivate var new: Int? {
        if case .inserted(let new) = self { new } else { bothPair?.1 }
    }
}
