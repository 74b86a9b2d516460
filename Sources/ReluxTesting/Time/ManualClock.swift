import Relux

/// A clock whose time moves only when told to.
///
/// If a store uses it as its clock, every delay, debounce, throttle and retry waits for the test instead of real time:
///
/// ```swift
/// let clock = ManualClock()
/// let nap = Task { try await clock.sleep(for: .seconds(60)) }
///
/// await clock.sleepers(atLeast: 1)
/// await clock.advance(by: .seconds(60))
/// try await nap.value
/// ```
///
/// - Isolation: None. Every member can be used from anywhere.
/// - Ordering: Sleepers wake in the order of their deadlines. Those with the same deadline wake in the order in which
///   they went to sleep. While a sleeper is being woken, ``now`` is its deadline.
/// - Rest: Between two wakes, the clock awaits the closure given to ``init(rest:)``, which returns once the work that
///   the first wake started has come to rest. Only an executor can know this: a ``SeededExecutor`` does, and the
///   ordinary thread pool doesn't.
///
///   Without a closure, the clock doesn't wait. Sleepers are still *resumed* in order, but the work that follows runs
///   concurrently with that of other sleepers and with the remainder of the advance. A sleeper may then read a later
///   ``now``, and if it sleeps again, its new deadline counts from there. To advance step by step without a closure,
///   advance by one deadline at a time, and await the result of each step, for example with ``sleepers(atLeast:)``.
/// - Cancellation: Cancelling a sleeping task wakes it at once with a `CancellationError`. An advance can't be
///   cancelled.
/// - Lifetime: A sleeping task keeps its clock alive.
public final class ManualClock: Clock {
    /// The unit in which this clock measures.
    public typealias Duration = Swift.Duration

    private let list: Lock<WakeList>
    private let rest: (@Sendable () async -> Void)?

    /// Creates a clock that shows zero.
    ///
    /// - Parameter rest: Returns when all work that is now runnable has run. It is awaited before an advance chooses
    ///   its first sleeper, and after each sleeper that it wakes. With nil, an advance doesn't wait.
    public init(rest: (@Sendable () async -> Void)? = nil) {
        list = Lock(WakeList())
        self.rest = rest
    }

    /// The time to which the clock has been moved.
    public var now: Instant { list.withLock { $0.now } }

    /// Zero, because the clock is exact.
    public var minimumResolution: Duration { .zero }

    /// The sleeping tasks in the order in which they will wake.
    public var sleepers: [Sleeper] { list.withLock { $0.sleepers } }

    /// Sleeps until the clock has been moved to a deadline.
    ///
    /// If the deadline isn't after ``now``, it returns at once.
    ///
    /// - Parameter tolerance: Ignored, because the clock is exact.
    /// - Throws: `CancellationError` if the task is cancelled before or during the sleep.
    /// - Complexity: O(*n*) in the number of sleepers.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = list.withLock { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let sleeper = Sleeper(id: id, deadline: deadline, name: Self.currentTaskName)
                // The cancellation flag is set before the handler below runs, and it is read under the lock that the
                // handler takes. A handler that runs too early to find this sleeper has therefore left the flag set.
                list.withLock { $0.arrive(sleeper, continuation, isCancelled: Task.isCancelled) }.resume()
            }
        } onCancel: {
            list.withLock { $0.cancel(id) }.resume()
        }
    }

    /// Waits until at least the given number of tasks sleep on this clock at the same time.
    ///
    /// A test calls it to learn that the work it started has reached its delay. It doesn't poll: the arriving sleeper
    /// resumes it.
    ///
    /// - Returns: The sleepers in the order in which they will wake. There are fewer than requested only if the waiting
    ///   task was cancelled, for example by a test's time limit.
    @discardableResult
    public func sleepers(atLeast count: Int) async -> [Sleeper] {
        let id = list.withLock { $0.makeID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                list.withLock { $0.await(count, id, continuation, isCancelled: Task.isCancelled) }.resume()
            }
        } onCancel: {
            list.withLock { $0.cancel(id) }.resume()
        }
    }

    /// Advances the time and wakes every sleeper whose deadline it reaches, in order and one at a time.
    ///
    /// A task that goes to sleep during the advance, with a deadline that the advance reaches, is also woken in its
    /// turn. Overlapping advances add up, and may wake their sleepers at the same time.
    ///
    /// - Parameter duration: How far to advance. Time doesn't run backwards: a negative duration counts as zero. It
    ///   stops at the greatest offset that a duration can have.
    public func advance(by duration: Duration) async {
        let target = list.withLock { $0.extendHorizon(by: duration) }
        await wake(through: target)
    }

    /// Advances the time to the next deadline and wakes every sleeper with that deadline, in order and one at a time.
    ///
    /// - Returns: The deadline, or nil if there are no sleepers. In that case, the time doesn't change.
    @discardableResult
    public func advanceToNextDeadline() async -> Instant? {
        await rest?()
        guard let deadline = list.withLock({ $0.extendHorizonToNextDeadline() }) else { return nil }

        await wake(through: deadline)
        return deadline
    }

    /// The next deadline; nil if there are no sleepers.
    package var nextDeadline: Instant? { list.withLock { $0.nextDeadline } }

    /// Advances the time to the next deadline and wakes one sleeper.
    ///
    /// This is for schedulers that determine by themselves when work has come to rest.
    ///
    /// - Returns: The sleeper that was woken, or nil if there are none.
    package func wakeNext() -> Sleeper? {
        let wake = list.withLock { $0.wakeNext() }
        wake?.resumption.resume()
        return wake?.sleeper
    }

    /// Wakes every sleeper whose deadline is not after the target, where the time then is.
    private func wake(through target: Instant) async {
        await rest?()
        while let wake = list.withLock({ $0.wakeNext(through: target) }) {
            wake.resumption.resume()
            await rest?()
        }
    }

    private static var currentTaskName: String? {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return nil }
        return Task.name
    }
}
