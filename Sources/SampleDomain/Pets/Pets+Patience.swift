import Relux
import SampleServices

extension Pets {
    /// How long to wait for an answer, and how often to ask.
    public struct Patience: Sendable, Hashable {
        /// How long one try may take.
        public var limit: Duration

        /// How often to try in all.
        public var attempts: Int

        /// How long to pause after the first failure. Each pause is twice as long as the one before.
        public var pause: Duration

        /// The longest pause.
        public var longestPause: Duration

        /// The share of each pause that is left to chance, so that clients that failed together don't come back
        /// together.
        public var jitter: Double

        /// Makes a patience.
        ///
        /// - Parameters:
        ///   - limit: How long one try may take.
        ///   - attempts: How often to try in all. Less than 1 counts as 1.
        ///   - pause: How long to pause after the first failure.
        ///   - longestPause: The longest pause.
        ///   - jitter: The share of each pause that is left to chance, from 0 to 1.
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

        /// How to try again.
        var schedule: Relux.RetrySchedule {
            .exponential(base: pause, limit: longestPause, jitter: jitter, attempts: attempts) { error in
                (error as? PetsServiceError)?.mayPass == true
            }
        }

        /// Whether another try follows one that failed.
        func triesAgain(after failure: PetsServiceError, attempt: Int) -> Bool {
            attempt < attempts && failure.mayPass
        }
    }
}

extension PetsServiceError {
    /// Whether the same question may be answered better in a moment.
    var mayPass: Bool {
        switch reason {
        case .offline, .slow, .status(408), .status(429), .status(500...599): true
        case .notFound, .status, .malformed, .untrusted, .cancelled: false
        }
    }
}
