extension Relux {
    /// How many attempts to make, how long to wait between them, and which errors are worth retrying.
    public struct RetrySchedule: Sendable {
        private enum Delay: Sendable {
            case constant(Duration)
            case exponential(base: Duration, factor: Double, limit: Duration, jitter: Double)
        }

        private let delay: Delay
        private let attempts: Int
        private let condition: @Sendable (any Error) -> Bool

        /// Waits for the same delay after each failure.
        ///
        /// - Parameters:
        ///   - delay: How long to wait. Less than zero counts as zero.
        ///   - attempts: The total number of attempts. Less than 1 counts as 1.
        ///   - condition: Whether an error is worth retrying. A `CancellationError` never is.
        public static func constant(
            _ delay: Duration, attempts: Int = 3,
            retrying condition: @escaping @Sendable (any Error) -> Bool = { _ in true }
        ) -> RetrySchedule {
            RetrySchedule(delay: .constant(delay), attempts: attempts, condition: condition)
        }

        /// Waits for a delay that grows by a factor with each failure, up to a limit.
        ///
        /// Jitter keeps clients that failed at the same time from retrying at the same time. See Marc Brooker,
        /// "Exponential Backoff And Jitter", AWS Architecture Blog, 2015. A jitter of 1 is that article's "full
        /// jitter". The jitter is derived from the store's `randomSeed`.
        ///
        /// - Parameters:
        ///   - base: How long to wait after the first failure. Less than zero counts as zero.
        ///   - factor: The ratio of each delay to the previous one. Less than 1 counts as 1.
        ///   - limit: The longest delay.
        ///   - jitter: The random share of each delay, from 0 to 1. With 0.2, a delay of 10 s becomes one between 8 s
        ///     and 10 s.
        ///   - attempts: The total number of attempts. Less than 1 counts as 1.
        ///   - condition: Whether an error is worth retrying. A `CancellationError` never is.
        public static func exponential(
            base: Duration, factor: Double = 2, limit: Duration = .seconds(60), jitter: Double = 0,
            attempts: Int = 5, retrying condition: @escaping @Sendable (any Error) -> Bool = { _ in true }
        ) -> RetrySchedule {
            RetrySchedule(
                delay: .exponential(base: base, factor: factor, limit: limit, jitter: jitter), attempts: attempts,
                condition: condition
            )
        }

        /// Returns whether to try again after `failed` failures, the last of which threw this error.
        func isWorthRetrying(_ error: any Error, failed: Int) -> Bool {
            switch EffectError.unwrapped(error) {
            case is CancellationError: return false
            case EffectError.failed(let cause): return failed < attempts && condition(cause)
            case is EffectError: return false
            default: return failed < attempts && condition(error)
            }
        }

        /// Returns how long to wait before the next attempt.
        ///
        /// - Parameters:
        ///   - failed: The number of failures so far, at least 1.
        ///   - draw: A random number, at least 0 and less than 1.
        /// - Returns: A delay from zero to the limit.
        func delay(afterFailed failed: Int, drawing draw: Double) -> Duration {
            switch delay {
            case .constant(let delay):
                return max(delay, .zero)
            case .exponential(let base, let factor, let limit, let jitter):
                // Far below the largest duration, so that no multiplication up to it overflows.
                let longest = min(max(limit, .zero), .seconds(Int64.max))
                var grown = min(max(base, .zero), longest)
                // NaN compares as false, and therefore counts as 1.
                let growth = factor > 1 ? factor : 1
                for _ in 1..<max(failed, 1) where grown < longest {
                    // Stops before the multiplication can overflow. The product would exceed the limit anyway.
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
