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
        private let schedule: Schedule

        init(_ schedule: Schedule) {
            self.schedule = schedule
        }

        /// Returns the next number, uniformly distributed over all of `UInt64` except for 0.
        ///
        /// In the plain order, it is always 1, from which the standard library derives the smallest values.
        public func next() -> UInt64 {
            // A generator that keeps returning 0 would make `Int.random(in:using:)` try forever.
            max(schedule.draw(), 1)
        }
    }
}
