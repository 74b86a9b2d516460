import Relux
import SampleServices

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
        ///
        /// - Parameters:
        ///   - limit: The time limit of one attempt.
        ///   - attempts: The maximum number of attempts. Less than 1 counts as 1.
        ///   - pause: The pause after the first failure.
        ///   - longestPause: The maximum pause.
        ///   - jitter: The random fraction of each pause, from 0 to 1.
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

        /// The schedule of retries.
        var schedule: Relux.RetrySchedule {
            .exponential(base: pause, limit: longestPause, jitter: jitter, attempts: attempts) { error in
                (error as? PetsServiceError)?.mayPass == true
            }
        }

        /// Whether a failed attempt is followed by another one.
        func triesAgain(after failure: PetsServiceError, attempt: Int) -> Bool {
            attempt < attempts && failure.mayPass
        }
    }
}

extension PetsServiceError {
    /// Whether the failure is transient, so that a retry may succeed.
    var mayPass: Bool {
        switch reason {
        case .offline, .slow, .status(408), .status(429), .status(500...599): true
        case .notFound, .status, .malformed, .untrusted, .cancelled: false
        }
    }
}
