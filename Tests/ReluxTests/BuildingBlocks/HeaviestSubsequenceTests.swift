import ReluxTesting
import Testing

@testable import Relux

@Suite("The heaviest increasing subsequence", .timeLimit(.minutes(10)))
struct HeaviestSubsequenceTests {
    @Test("it is increasing and as heavy as the best of all subsequences", arguments: 0..<200 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 0...9, using: &random)
        let ranks = Array(0..<count).shuffled(using: &random)
        let weights = (0..<count).map { _ in Int.random(in: 1...4, using: &random) }

        let isMember = heaviestIncreasingSubsequence(ranks, weights: weights)

        let members = ranks.indices.filter { isMember[$0] }
        #expect(members.map { ranks[$0] } == members.map { ranks[$0] }.sorted())
        let best = (0..<1 << count).map { set in
            let chosen = ranks.indices.filter { set & 1 << $0 != 0 }
            let isIncreasing = zip(chosen, chosen.dropFirst()).allSatisfy { ranks[$0] < ranks[$1] }
            return isIncreasing ? chosen.reduce(0) { $0 + weights[$1] } : 0
        }
        #expect(members.reduce(0) { $0 + weights[$1] } == best.max())
    }
}
