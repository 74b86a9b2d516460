import Relux

extension Simulation {
    /// The random numbers of a world.
    ///
    /// All who draw from it share it: what one draws, the next doesn't get. So the numbers follow from the seed as long
    /// as the order does.
    ///
    /// ```swift
    /// var random = world.random
    /// let query = queries.randomElement(using: &random)
    /// ```
    ///
    /// - Isolation: It can be used from anywhere.
    public final class Generator: RandomNumberGenerator, Sendable {
        private let generator: Lock<SeededGenerator>

        init(seed: UInt64) {
            generator = Lock(SeededGenerator(seed: seed))
        }

        /// The next number.
        ///
        /// - Returns: A number from all of `UInt64`, each equally likely.
        public func next() -> UInt64 {
            generator.withLock { $0.next() }
        }

        /// A number from zero up to one.
        func fraction() -> Double {
            Double(next() >> 11) * 0x1p-53
        }
    }
}
