import Relux

extension Simulation {
    /// The source of a world's random numbers.
    ///
    /// All users share a single sequence and each number is drawn once. The numbers are therefore determined by the
    /// seed as long as the order of the draws is.
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

        /// Returns the next number, uniformly distributed over all of `UInt64`.
        public func next() -> UInt64 {
            generator.withLock { $0.next() }
        }

        /// Returns a number in `0..<1`.
        func fraction() -> Double {
            Double(next() >> 11) * 0x1p-53
        }
    }
}
