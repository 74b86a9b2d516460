import Relux

/// A clock whose time moves only when told to.
///
/// Give it to a store as its clock, and every delay, debounce, throttle and retry waits for the test instead of for the
/// world:
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
/// - Ordering: Sleepers wake in the order of their deadlines; those with the same deadline in the order in which they
///   came. While one is woken, ``now`` is its deadline.
/// - Rest: Between two wakes the clock awaits the closure given to ``init(rest:)``, which returns once the work that
///   the first one set off has come to rest. Only who runs that work can know: a ``SeededExecutor`` does, the ordinary
///   thread pool doesn't.
///   Without a closure, nothing is waited for. Sleepers are then still *resumed* in order, but what they do next runs
///   beside each other and beside the rest of the advance: one of them may read a later ``now``, and who sleeps again
///   counts from there. To go step by step without a closure, await what a step sets off, such as its next
///   ``sleepers(atLeast:)``, and advance by one deadline at a time.
/// - Cancellation: Cancelling a task that sleeps wakes it at once, with a `CancellationError`. Advancing isn't
///   cancellable.
/// - Lifetime: A sleeping task keeps its clock alive.
public final class ManualClock: Clock {
    /// What this clock measures in.
    public typealias Duration = Swift.Duration

    private let list: Lock<WakeList>
    private let rest: (@Sendable () async -> Void)?

    /// Makes a clock that shows zero.
    ///
    /// - Parameter rest: Returns when whatever is runnable now has run. It is awaited before the first sleeper of an
    ///   advance is chosen, and again after each that was woken. With nil, an advance waits for nobody.
    public init(rest: (@Sendable () async -> Void)? = nil) {
        list = Lock(WakeList())
        self.rest = rest
    }

    /// The time to which the clock has been moved.
    public var now: Instant { list.withLock { $0.now } }

    /// Zero: the clock is exact.
    public var minimumResolution: Duration { .zero }

    /// Who sleeps until when, the next to wake first.
    public var sleepers: [Sleeper] { list.withLock { $0.sleepers } }

    /// Sleeps until the clock has been moved to a deadline.
    ///
    /// A deadline that isn't after ``now`` returns at once.
    ///
    /// - Parameters:
    ///   - deadline: When to wake.
    ///   - tolerance: Ignored: the clock is exact.
    /// - Throws: `CancellationError` when the task is cancelled, before or while it sleeps.
    /// - Complexity: O(*n*) in the number of sleepers.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = list.withLock { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let sleeper = Sleeper(id: id, deadline: deadline, name: Self.currentTaskName)
                // The flag is set before the handler below runs, and read under the same lock. So a handler that came
                // too early to find this sleeper has left the flag for it to see.
                list.withLock { $0.arrive(sleeper, continuation, isCancelled: Task.isCancelled) }.resume()
            }
        } onCancel: {
            list.withLock { $0.cancel(id) }.resume()
        }
    }

    /// Waits until at least so many tasks sleep on this clock at the same time.
    ///
    /// It is how a test knows that the work which it has started has reached its delay. It doesn't poll: the arriving
    /// sleeper resumes it.
    ///
    /// - Parameter count: How many must sleep.
    /// - Returns: Who sleeps, the next to wake first. They are fewer than asked for only if the waiting task was
    ///   cancelled, by a test's time limit for example.
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

    /// Moves the time on, and wakes every sleeper whose deadline it reaches: in order, one at a time.
    ///
    /// A sleeper that comes while the clock advances, with a deadline within the same stretch, is woken in its turn.
    /// Advances that overlap add up.
    ///
    /// - Parameter duration: How far. Time doesn't run backwards: a negative duration counts as zero.
    public func advance(by duration: Duration) async {
        let target = list.withLock { $0.extendHorizon(by: duration) }
        await wake(through: target)
        list.withLock { $0.move(to: target) }
    }

    /// Moves the time on to the next deadline, and wakes every sleeper that it is the deadline of: in order, one at a
    /// time.
    ///
    /// - Returns: The deadline, or nil if nobody sleeps: the time then stays as it is.
    @discardableResult
    public func advanceToNextDeadline() async -> Instant? {
        await rest?()
        guard let deadline = list.withLock({ $0.extendHorizonToNextDeadline() }) else { return nil }

        await wake(through: deadline)
        return deadline
    }

    /// The deadline of who wakes next; nil if nobody sleeps.
    package var nextDeadline: Instant? { list.withLock { $0.nextDeadline } }

    /// Moves the time on to the next deadline and wakes one sleeper, for schedulers that know themselves what rest is.
    ///
    /// - Returns: Who was woken, or nil if nobody sleeps.
    package func wakeNext() -> Sleeper? {
        let wake = list.withLock { $0.wakeNext() }
        wake?.resumption.resume()
        return wake?.sleeper
    }

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
