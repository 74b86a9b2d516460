import Relux

// MARK: - Chance

extension Simulation.World {
    /// Sleeps for a random time on the virtual clock: the latency of a service.
    ///
    /// - Parameters:
    ///   - range: The shortest and the longest time. Every nanosecond in between is equally likely.
    ///   - heedsCancellation: Whether cancelling the task ends the sleep. A service that is deaf to its cancellation
    ///     sleeps on.
    /// - Throws: `CancellationError` when the task is cancelled and that is heeded.
    public nonisolated(nonsending) func latency(
        _ range: ClosedRange<Duration>, heedsCancellation: Bool = true
    ) async throws {
        let span = (range.upperBound - range.lowerBound) / .nanoseconds(1)
        let duration = range.lowerBound + .nanoseconds(Int64((span * random.fraction()).rounded()))
        guard !heedsCancellation else { return try await clock.sleep(for: duration) }

        await Task(executorPreference: executor) { [clock] in
            // Nobody cancels this task, so it doesn't throw.
            try? await clock.sleep(for: duration)
        }.value
    }

    /// Whether something goes wrong this time.
    ///
    /// ```swift
    /// if world.fails(0.1) { throw NotesError.offline }
    /// ```
    ///
    /// - Parameter probability: How likely, from 0 (never) to 1 (always).
    /// - Returns: Whether it does.
    public func fails(_ probability: Double) -> Bool {
        random.fraction() < probability
    }

    /// A random number.
    ///
    /// - Parameter range: What it is taken from.
    /// - Returns: A number, each equally likely.
    public func random(in range: ClosedRange<Int>) -> Int {
        var random = random
        return Int.random(in: range, using: &random)
    }

    /// One of several values.
    ///
    /// - Parameter values: What it is taken from.
    /// - Returns: A value, each equally likely; nil if there are none.
    public func random<Value>(of values: some Collection<Value>) -> Value? {
        var random = random
        return values.randomElement(using: &random)
    }
}

// MARK: - Checks

extension Simulation.World {
    /// Expects something to hold after every action of every store, and at the end.
    ///
    /// The first action after which it doesn't hold fails the seed. Actions of a batch are checked on the states that
    /// the whole batch left.
    ///
    /// - Parameters:
    ///   - name: What has to hold, in words, such as `no completed item above an active one`.
    ///   - holds: Whether it does. It runs inside the store, so keep it short. Throwing fails the seed too; to pass
    ///     over stores without a state, read that by subscript.
    public func always(_ name: String, _ holds: @escaping @Sendable (borrowing Relux.StateReader) throws -> Bool) {
        journal.always(Journal.Invariant(name: name, holds: holds))
    }

    /// Expects something to hold of a state after every action, and at the end, in every store that has that state.
    ///
    /// - Parameters:
    ///   - name: What has to hold, in words.
    ///   - state: The type of the state.
    ///   - holds: Whether it does. It runs inside the store, so keep it short.
    public func always<S: Relux.State>(
        _ name: String, of state: S.Type, _ holds: @escaping @Sendable (S) throws -> Bool
    ) {
        always(name) { states in try states[state].map(holds) ?? true }
    }

    /// Expects something to hold in every store at the end, when everything has come to rest.
    ///
    /// - Parameters:
    ///   - name: What has to hold, in words.
    ///   - holds: Whether it does. It runs inside the store.
    public func finally(_ name: String, _ holds: @escaping @Sendable (borrowing Relux.StateReader) throws -> Bool) {
        journal.finally(Journal.Invariant(name: name, holds: holds))
    }

    /// Expects something to hold of a state at the end, in every store that has that state.
    ///
    /// - Parameters:
    ///   - name: What has to hold, in words.
    ///   - state: The type of the state.
    ///   - holds: Whether it does. It runs inside the store.
    public func finally<S: Relux.State>(
        _ name: String, of state: S.Type, _ holds: @escaping @Sendable (S) throws -> Bool
    ) {
        finally(name) { states in try states[state].map(holds) ?? true }
    }
}
