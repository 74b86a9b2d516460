public import SampleServices

extension Pets {
    /// A try that failed, with another one to follow.
    public struct Setback: Sendable, Hashable {
        /// Why it failed.
        public let failure: PetsServiceError

        /// Which try it was, counted from 1.
        public let attempt: Int

        /// How many there are at most.
        public let limit: Int

        /// Makes a setback.
        ///
        /// - Parameters:
        ///   - failure: Why the try failed.
        ///   - attempt: Which try it was, counted from 1.
        ///   - limit: How many there are at most.
        public init(_ failure: PetsServiceError, attempt: Int, limit: Int) {
            self.failure = failure
            self.attempt = attempt
            self.limit = limit
        }
    }
}
