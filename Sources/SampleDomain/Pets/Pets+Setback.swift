public import SampleServices

extension Pets {
    /// A failed attempt that is followed by another one.
    public struct Setback: Sendable, Hashable {
        /// Why the attempt failed.
        public let failure: PetsServiceError

        /// The number of the attempt, starting at 1.
        public let attempt: Int

        /// The maximum number of attempts.
        public let limit: Int

        /// Creates a setback.
        ///
        /// - Parameters:
        ///   - failure: Why the attempt failed.
        ///   - attempt: The number of the attempt, starting at 1.
        ///   - limit: The maximum number of attempts.
        public init(_ failure: PetsServiceError, attempt: Int, limit: Int) {
            self.failure = failure
            self.attempt = attempt
            self.limit = limit
        }
    }
}
