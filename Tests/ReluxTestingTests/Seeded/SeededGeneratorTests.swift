import ReluxTesting
import Testing

@Suite("SeededGenerator", .timeLimit(.minutes(10)))
struct SeededGeneratorTests {
    @Test("the numbers are those of SplitMix64")
    func referenceNumbers() {
        var generator = SeededGenerator(seed: 1_234_567)

        let numbers = (0..<5).map { _ in generator.next() }

        #expect(
            numbers == [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        )
    }

    @Test("the same seed gives the same numbers, another seed gives others")
    func seeds() {
        let draw = { (seed: UInt64) -> [Int] in
            var generator = SeededGenerator(seed: seed)
            return (0..<20).map { _ in Int.random(in: 0..<100, using: &generator) }
        }

        #expect(draw(1) == draw(1))
        #expect(draw(1) != draw(2))
    }

    @Test("a bounded number stays below its bound, and every such number occurs")
    func bounded() {
        var generator = SeededGenerator(seed: 0)

        let numbers = (0..<200).map { _ in generator.next(below: 7) }

        #expect(Set(numbers) == Set(0..<7))
    }
}
