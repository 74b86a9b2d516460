import Relux
public import SampleServices

extension Pets {
    /// How long to wait for an answer, and how often to retry.
    public struct Patience: Sendable, Hashable {
        /// The time limit of one attempt.
        public var limit: Duration

        /// The maximum number of attempts.
        public var attempts: Int

        /// The pause after the first failure. Each further pause is twice as long as the previous one.
        public var pause: Duration

        /// The maximum pause.
        public var longestPause: Duration

        /// The random fraction of each pause, so that clients that failed together don't retry together.
        public var jitter: Double

        /// Creates a patience.
        public init(
            limit: Duration = .seconds(10),
            attempts: Int = 4,
            pause: Duration = .milliseconds(250),
            longestPause: Duration = .seconds(5),
            jitter: Double = 0.2
        ) {
            self.limit = limit
            self.attempts = max(attempts, 1)
            self.pause = pause
            self.longestPause = longestPause
            self.jitter = jitter
        }
    }

    /// A failed attempt that is followed by another one.
    public struct Setback: Sendable, Hashable {
        /// Why the attempt failed.
        public let failure: PetsServiceError

        /// The number of the attempt, starting at 1.
        public let attempt: Int

        /// The maximum number of attempts.
        public let limit: Int

        /// Creates a setback.
        public init(_ failure: PetsServiceError, attempt: Int, limit: Int) {
            self.failure = failure
            self.attempt = attempt
            self.limit = limit
        }
    }
}

extension Pets.Patience {
    /// The schedule of retries.
    var schedule: Relux.RetrySchedule {
        .exponential(base: pause, limit: longestPause, jitter: jitter, attempts: attempts) { error in
            (error as? PetsServiceError)?.mayPass == true
        }
    }
}

extension PetsServiceError {
    /// Whether the failure is transient, so that a retry may succeed.
    fileprivate var mayPass: Bool {
        switch reason {
        case .offline, .slow, .status(408), .status(429), .status(500...599): true
        case .notFound, .status, .malformed, .untrusted, .cancelled: false
        }
    }
}
