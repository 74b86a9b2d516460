extension Relux {
    /// The time limit of ``SagaContext/timeout(after:_:)`` has passed.
    public struct TimeoutError: Error, Hashable, CustomStringConvertible {
        /// The time limit.
        public let limit: Duration

        /// Creates an error, for a scripted service in a test.
        public init(limit: Duration) {
            self.limit = limit
        }

        /// A sentence that contains the time limit.
        public var description: String { "The work didn't finish within \(limit.decimalText)." }
    }
}
