extension Relux {
    /// The time limit of ``SagaContext/timeout(after:_:)`` has passed.
    public struct TimeoutError: Error, Hashable, CustomStringConvertible {
        /// The time limit.
        public let limit: Duration

        /// Creates an error, for a scripted service in a test.
        public init(limit: Duration) {
            self.limit = limit
        }

        /// The time limit.
        public var description: String { "It wasn't done within \(limit.decimalText)." }
    }
}
