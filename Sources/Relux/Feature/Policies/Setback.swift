extension Relux {
    /// A failed attempt that is followed by another one: what `retry` reports before each pause.
    public struct Setback: Sendable {
        /// The error that the attempt threw.
        public let error: any Error

        /// The number of the attempt that failed, from 1.
        public let attempt: Int

        /// How long `retry` waits before the next attempt, on the store's clock.
        public let pause: Duration
    }
}
