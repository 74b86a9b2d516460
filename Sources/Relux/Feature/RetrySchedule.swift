extension Relux {
    /// How often to try, how long to wait in between, and which errors are worth another try.
    public struct RetrySchedule: Sendable {
        private enum Delay: Sendable {
            case constant(Duration)
            case exponential(base: Duration, factor: Double, limit: Duration, jitter: Double)
        }

        private let delay: Delay
        private let attempts: Int
        private let condition: @Sendable (any Error) -> Bool

        /// The same delay after each failure.
        ///
        /// - Parameters:
        ///   - delay: How long to wait. Less than zero counts as zero.
        ///   - attempts: How often to try in all. Less than 1 counts as 1.
        ///   - condition: Whether an error is worth another try. A `CancellationError` never is.
        /// - Returns: The schedule.
        public static func constant(
            _ delay: Duration, attempts: Int = 3,
            retrying condition: @escaping @Sendable (any Error) -> Bool = { _ in true }
        ) -> RetrySchedule {
            RetrySchedule(delay: .constant(delay), attempts: attempts, condition: condition)
        }

        /// A delay that grows by a factor with each failure, up to a limit.
        ///
        /// Jitter keeps clients that failed together from coming back together: see Marc Brooker, "Exponential Backoff
        /// And Jitter", AWS Architecture Blog, 2015; a jitter of 1 is its "full jitter". It is drawn from the store's
        /// `randomSeed`.
        ///
        /// - Parameters:
        ///   - base: How long to wait after the first failure. Less than zero counts as zero.
        ///   - factor: By how much each delay is longer than the one before. Less than 1 counts as 1.
        ///   - limit: The longest delay.
        ///   - jitter: The share of each delay, from 0 to 1, that is left to chance: with 0.2 a delay of 10 s becomes
        ///     one from 8 s to 10 s.
        ///   - attempts: How often to try in all. Less than 1 counts as 1.
        ///   - condition: Whether an error is worth another try. A `CancellationError` never is.
        /// - Returns: The schedule.
        public static func exponential(
            base: Duration, factor: Double = 2, limit: Duration = .seconds(60), jitter: Double = 0,
            attempts: Int = 5, retrying condition: @escaping @Sendable (any Error) -> Bool = { _ in true }
        ) -> RetrySchedule {
            RetrySchedule(
                delay: .exponential(base: base, factor: factor, limit: limit, jitter: jitter), attempts: attempts,
                condition: condition
            )
        }

        /// Whether to try again after a number of failures, the last of them with this error.
        func isWorthRetrying(_ error: any Error, failed: Int) -> Bool {
            switch error {
            case is CancellationError: return false
            case EffectError.failed(let cause): return failed < attempts && condition(cause)
            case is EffectError: return false
            default: return failed < attempts && condition(error)
            }
        }

        /// How long to wait.
        ///
        /// - Parameters:
        ///   - failed: The number of failures, from 1.
        ///   - draw: A number from 0 up to 1.
        /// - Returns: The time, from zero up to the limit.
        func delay(afterFailed failed: Int, drawing draw: Double) -> Duration {
            switch delay {
            case .constant(let delay):
                return max(delay, .zero)
            case .exponential(let base, let factor, let limit, let jitter):
                let longest = max(limit, .zero)
                var grown = max(base, .zero)
                // NaN compares as false, and so counts as 1.
                let growth = factor > 1 ? factor : 1
                for _ in 1..<max(failed, 1) where grown < longest {
                    // Stops before a multiplication could overflow: then the limit is long passed.
                    guard growth < longest / max(grown, .nanoseconds(1)) else {
                        grown = grown == .zero ? .zero : longest
                        break
                    }
                    grown = grown * growth
                }
                let share = jitter > 0 ? min(jitter, 1) : 0
                return min(grown, longest) * (1 - share * draw)
            }
        }
    }
}
