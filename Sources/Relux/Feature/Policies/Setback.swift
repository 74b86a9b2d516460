extension Relux {
    /// Describes a failed attempt, for the `onSetback` of ``SagaContext/retry(_:onSetback:_:)``. It is reported before
    /// the pause that precedes the next attempt, so the last failure, which `retry` throws, is never reported.
    public struct Setback: Sendable {
        /// The error that the attempt threw.
        public let error: any Error

        /// The number of the attempt that failed, from 1.
        public let attempt: Int

        /// How long `retry` waits before the next attempt, on the store's clock.
        public let pause: Duration
    }
}
