import Relux
import Synchronization
import Testing

// MARK: - Chance

extension Simulation.World {
    /// Sleeps for a random time on the virtual clock, to simulate the latency of a service. It is part of the trace.
    ///
    /// - Parameters:
    ///   - range: The shortest and the longest time. Every nanosecond in between is equally likely.
    ///   - heedsCancellation: Whether cancelling the task ends the sleep. If false, the task sleeps on, like a service
    ///     that ignores cancellation.
    /// - Throws: `CancellationError` if the task is cancelled and `heedsCancellation` is true.
    public nonisolated(nonsending) func latency(
        _ range: ClosedRange<Duration>, heedsCancellation: Bool = true
    ) async throws {
        let span = (range.upperBound - range.lowerBound) / .nanoseconds(1)
        let nanoseconds = Int128((span * schedule.fraction()).rounded())
        // A span of more than 2^53 nanoseconds is rounded, perhaps up.
        let duration = min(range.lowerBound + .nanoseconds(nanoseconds), range.upperBound)
        noteEverywhere("latency of \(duration.decimalText)")
        guard !heedsCancellation else { return try await clock.sleep(for: duration) }

        await Task(executorPreference: executor) { [clock] in
            // Nothing cancels this task, so its sleep never throws.
            try? await clock.sleep(for: duration)
        }.value
    }

    /// Decides at random whether to inject a fault. A fault is part of the trace.
    ///
    /// ```swift
    /// if world.fails(0.1) { throw NotesError.offline }
    /// ```
    ///
    /// - Parameter probability: The probability of a fault, from 0 (never) to 1 (always).
    /// - Returns: Whether to fail this time.
    public func fails(_ probability: Double) -> Bool {
        // The plain draw of 0 is no fault.
        let isFault = schedule.fraction() >= 1 - probability
        if isFault { noteEverywhere("fault") }
        return isFault
    }

    /// Returns a random number in the range, each equally likely.
    public func random(in range: ClosedRange<Int>) -> Int {
        let (span, isTooLong) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
        var random = random
        guard !isTooLong, span < .max else { return Int.random(in: range, using: &random) }
        return range.lowerBound + index(below: span + 1)
    }

    /// Returns a random element, each equally likely, or nil if there are none.
    public func random<Value>(of values: some Collection<Value>) -> Value? {
        guard !values.isEmpty else { return nil }
        return values[values.index(values.startIndex, offsetBy: index(below: values.count))]
    }

    /// Draws a number below a bound; 0 in the plain order.
    private func index(below bound: Int) -> Int {
        Int(truncatingIfNeeded: schedule.draw().multipliedFullWidth(by: UInt64(bound)).high)
    }
}

// MARK: - Checks

extension Simulation.World {
    /// States that errors of a type may occur from now on, in any number, without anybody receiving them.
    ///
    /// Without it, an error of a run that nobody receives fails the seed.
    public func expectFailure<E: Error>(_ type: E.Type, sourceLocation: SourceLocation = #_sourceLocation) {
        journal.expectFailure(type, sourceLocation)
    }

    /// States that refusals may occur from now on, in any number.
    ///
    /// Without it, an action or effect that nothing takes fails the seed.
    public func expectRefusal(sourceLocation: SourceLocation = #_sourceLocation) {
        journal.expectRefusal(sourceLocation)
    }

    /// Makes refused writes, actions to instances that don't exist, children that are left out, and states that could
    /// not be loaded fail the seed from now on.
    ///
    /// By default, they only appear in the trace, because they are normal: the store keeps stale writes out by refusing
    /// those of superseded or cancelled runs, an instance may be closed before an action arrives, and a storage may
    /// fail.
    public func forbidRefusals() {
        journal.forbidRefusals()
    }

    /// Requires an invariant to hold after every action of every store, and at the end.
    ///
    /// The seed fails at the first action after which the invariant doesn't hold. For an action of a batch, the states
    /// that the whole batch has left are checked.
    ///
    /// - Parameters:
    ///   - name: The invariant in words, such as `no completed item above an active one`.
    ///   - holds: Whether the invariant holds. It runs inside the store, so keep it short. The seed also fails if it
    ///     throws. To skip stores without a certain state, read that state by subscript.
    public func always(
        _ name: String,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ holds: @escaping @Sendable (borrowing Relux.StateReader) throws -> Bool
    ) {
        let site = Relux.CallSite(fileID: fileID, line: line)
        journal.always(Invariant(name, at: site, holds))
    }

    /// Requires an invariant of one state to hold after every action and at the end, wherever that state exists.
    ///
    /// It is checked for the state of every scope of every store: the root and each instance, including nested ones. A
    /// failure shows the state that breaks it, and names its instance. An exploration in which no run has such a state
    /// fails.
    ///
    /// - Parameters:
    ///   - name: The invariant in words.
    ///   - holds: Whether the invariant holds. It runs inside the store, so keep it short. The seed also fails if it
    ///     throws.
    public func always<S: Relux.State>(
        _ name: String,
        of state: S.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ holds: @escaping @Sendable (S) throws -> Bool
    ) {
        let site = Relux.CallSite(fileID: fileID, line: line)
        journal.always(Invariant(name, at: site, of: state, holds))
    }

    /// Requires an invariant to hold in every store that the world keeps alive at the end, when all work has ended.
    ///
    /// - Parameters:
    ///   - name: The invariant in words.
    ///   - holds: Whether the invariant holds. It runs inside the store. The seed also fails if it throws.
    public func finally(
        _ name: String,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ holds: @escaping @Sendable (borrowing Relux.StateReader) throws -> Bool
    ) {
        let site = Relux.CallSite(fileID: fileID, line: line)
        journal.finally(Invariant(name, at: site, holds))
    }

    /// Requires an invariant of one state to hold at the end, wherever that state exists.
    ///
    /// It is checked for the state of every scope, as for ``always(_:of:fileID:line:_:)``, in every store that the
    /// world keeps alive.
    ///
    /// - Parameters:
    ///   - name: The invariant in words.
    ///   - holds: Whether the invariant holds. It runs inside the store. The seed also fails if it throws.
    public func finally<S: Relux.State>(
        _ name: String,
        of state: S.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ holds: @escaping @Sendable (S) throws -> Bool
    ) {
        let site = Relux.CallSite(fileID: fileID, line: line)
        journal.finally(Invariant(name, at: site, of: state, holds))
    }
}

// MARK: - Liveness

extension Simulation.World {
    /// Waits until a condition holds for a state in one of the world's stores, and fails the seed if it takes too long.
    ///
    /// ```swift
    /// await store.dispatch(Search.Find(query: "swift"))
    /// await world.eventually("results are there", of: Search.State.self, within: .seconds(2)) { !$0.results.isEmpty }
    /// ```
    ///
    /// The condition is checked now, after every action, reset, registration and removal of a module, and once more
    /// when the time is over. It is met when it holds for the state of any scope: of the root, or of an instance,
    /// however deeply nested. While the scenario waits, time passes only when nothing can run.
    ///
    /// - Parameters:
    ///   - name: The condition in words.
    ///   - limit: How much virtual time it may take.
    ///   - holds: Whether the condition holds. It runs inside the store, so keep it short. If it throws, the condition
    ///     doesn't hold.
    /// - Returns: Whether the condition holds. If it is false, the seed has failed.
    @discardableResult
    public nonisolated(nonsending) func eventually<S: Relux.State>(
        _ name: String,
        of state: S.Type = S.self,
        within limit: Duration,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ holds: @escaping @Sendable (S) throws -> Bool
    ) async -> Bool {
        let site = Relux.CallSite(fileID: fileID, line: line)
        let eventuality = Eventuality(of: state, holds)
        journal.add(eventuality)
        _ = await check(eventuality, of: state)
        let alarm = Task(executorPreference: executor, priority: .medium) { [self] in
            var states: [Relux.ScopedState] = []
            // The sleep is cut short if the condition holds, and at the end of a failed seed.
            if (try? await clock.sleep(for: limit)) != nil { states = await check(eventuality, of: state) }
            eventuality.expire()
            return states
        }
        let isMet = await eventuality.wait()
        alarm.cancel()
        journal.remove(eventuality)
        if !isMet {
            let states = Relux.ScopedState.text(of: await alarm.value)
            journal.fail(
                "“\(name)” (\(site)) didn't hold within \(limit.decimalText).\(states)", kind: "eventually \(name)")
        }
        return isMet
    }

    /// Checks a condition in all stores, and returns the states that it is about.
    private nonisolated(nonsending) func check<S: Relux.State>(
        _ eventuality: Eventuality, of state: S.Type
    ) async -> [Relux.ScopedState] {
        var concerned: [Relux.ScopedState] = []
        for (_, store) in contents.withLock({ $0.stores }) {
            concerned += await store.read { states in
                eventuality.check(states)
                return states.allStates.filter { $0.state is S }
            }
        }
        return concerned
    }
}

/// A check that a scenario has stated in one run, and whether there was anything to check.
///
/// - Isolation: Any thread.
final class StatedCheck: Sendable {
    /// The report of an exploration in which no run has had anything to check. The same in every run.
    let warning: String

    private let hasChecked = Atomic(false)

    init(warning: String) {
        self.warning = warning
    }

    /// Whether it has checked anything.
    var isUsed: Bool { hasChecked.load(ordering: .relaxed) }

    func noteUse() {
        hasChecked.store(true, ordering: .relaxed)
    }
}
