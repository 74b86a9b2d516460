import Testing

@testable import Relux

@Suite("SplitMix64", .timeLimit(.minutes(10)))
struct SplitMix64Tests {
    /// Those of Sebastiano Vigna's program for the seed 1234567.
    @Test("the numbers of a seed are those of the published generator")
    func known() {
        let numbers = (1...5).map { SplitMix64.number(at: 1_234_567 &+ $0 &* SplitMix64.increment) }

        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }
}
