extension Relux {
    /// A handle on a store, with the verbs that bring actions in.
    ///
    /// Containers, callbacks and controllers get one instead of the store. Two dispatchers are equal if they lead to
    /// the same store.
    ///
    /// - Runs: It speaks for the run in whose task it is used, as ``Store`` does.
    /// - Lifetime: It doesn't keep the store alive. Once that is gone, actions go nowhere: `dispatch` returns without a
    ///   number, and `perform` throws ``EffectError/storeShutDown``.
    public struct Dispatcher: Sendable, Hashable {
        private let engine: Engine?

        init(_ engine: Engine?) {
            self.engine = engine
        }

        /// Goes nowhere, for previews.
        public static let none = Dispatcher(nil)

        /// Whether both lead to the same store, or both nowhere.
        ///
        /// - Parameters:
        ///   - lhs: A dispatcher.
        ///   - rhs: Another one.
        /// - Returns: Whether they are equal.
        public static func == (lhs: Dispatcher, rhs: Dispatcher) -> Bool {
            lhs.engine === rhs.engine
        }

        /// Hashes the identity of the store.
        ///
        /// - Parameter hasher: The hasher to feed.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(engine.map(ObjectIdentifier.init))
        }

        /// Takes an action, and returns when it has been reduced and its runs have been started, queued or set pending.
        ///
        /// - Parameters:
        ///   - action: The action, routed by its exact concrete type.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Returns: The action's number, and a way to await what it set off.
        @discardableResult
        public nonisolated(nonsending) func dispatch(
            _ action: some Action, fileID: StaticString = #fileID, line: UInt = #line
        ) async -> Dispatched {
            await engine?.dispatch(action, by: nil, at: CallSite(fileID: fileID, line: line)) ?? Dispatched()
        }

        /// Takes actions of one type in one step: readers see only its end.
        ///
        /// - Parameters:
        ///   - batch: The actions, in order.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Returns: The number of the last one, and a way to await what all of them set off.
        @discardableResult
        public nonisolated(nonsending) func dispatch(
            contentsOf batch: some Collection<some Action> & Sendable, fileID: StaticString = #fileID,
            line: UInt = #line
        ) async -> Dispatched {
            await entrance?.dispatch(contentsOf: batch, at: CallSite(fileID: fileID, line: line)) ?? Dispatched()
        }

        /// Takes actions of any types in one step: readers see only its end.
        ///
        /// - Parameters:
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        ///   - batch: Lists the actions. Run once, where the caller is isolated, before anything is reduced.
        /// - Returns: The number of the last one, and a way to await what all of them set off.
        /// - Complexity: O(n) in the number of actions, apart from their reducers and sagas.
        @discardableResult
        public nonisolated(nonsending) func dispatch(
            fileID: StaticString = #fileID, line: UInt = #line, @ActionsBuilder _ batch: () -> [any Action]
        ) async -> Dispatched {
            await entrance?.dispatch(batch: batch(), at: CallSite(fileID: fileID, line: line)) ?? Dispatched()
        }

        /// Hands an action over and returns at once.
        ///
        /// It is reduced before whatever the calling task does next with this store. It never waits and has no bound:
        /// who needs back-pressure awaits `dispatch`. What it sets off inherits neither the priority nor the task-local
        /// values of the caller. Sends that the store accepted before its last reference went may be discarded, and are
        /// then reported.
        ///
        /// - Parameters:
        ///   - action: The action.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Complexity: O(1).
        public func send(_ action: some Action, fileID: StaticString = #fileID, line: UInt = #line) {
            entrance?.send(action, at: CallSite(fileID: fileID, line: line))
        }

        /// Takes an effect, and returns what its flow returns once that has ended.
        ///
        /// Where no flow takes the effect and its output is `Void`, the sagas decide: it throws the first failure, else
        /// that something was cancelled, superseded or dropped; other errors appear in the store's `failures`.
        ///
        /// Where the caller belongs to no actor, the run may begin in its thread, and goes on there up to its first
        /// wait.
        ///
        /// - Cancellation: Cancelling the calling task cancels the runs, and what they perform. It then throws once
        ///   they have ended: a service that ignores cancellation delays it. In a task that is cancelled already
        ///   nothing is reduced.
        /// - Parameters:
        ///   - effect: The effect.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Returns: The output of the flow.
        /// - Throws: ``EffectError``. After ``EffectError/unhandled`` the effect has been reduced all the same.
        @discardableResult
        public nonisolated(nonsending) func perform<E: Effect>(
            _ effect: E, fileID: StaticString = #fileID, line: UInt = #line
        ) async throws(EffectError) -> E.Output {
            guard let entrance else { throw .storeShutDown }
            return try await entrance.perform(effect, at: CallSite(fileID: fileID, line: line))
        }

        /// Takes actions and returns when what they set off has ended, or will never start.
        ///
        /// - Cancellation: When the calling task is cancelled, it waits no longer, and actions whose turn has not come
        ///   are not reduced; the runs go on.
        /// - Parameters:
        ///   - execution: One after the other, each with all that it sets off, or side by side. A failure stops
        ///     neither.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        ///   - actions: Lists the actions. Run once, where the caller is isolated, before anything is reduced.
        /// - Returns: `.failure` with every error if any failed, else `.cancelled` if anything was superseded, dropped
        ///   or cancelled, else `.success`. Actions that nothing takes count as failures.
        @discardableResult
        public nonisolated(nonsending) func actions(
            _ execution: Execution = .serially, fileID: StaticString = #fileID, line: UInt = #line,
            @ActionsBuilder _ actions: () -> [any Action]
        ) async -> ActionResult {
            await entrance?.actions(execution, actions(), at: CallSite(fileID: fileID, line: line))
                ?? .failure([EffectError.storeShutDown])
        }

        private var entrance: Entrance? { engine.map { Entrance($0) } }
    }
}
