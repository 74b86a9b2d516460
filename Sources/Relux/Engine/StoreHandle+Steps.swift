/// Synchronous ways into a store with nothing else to do, for tools that make one step at a time.
///
/// They never wait and start nothing. They return nil without doing anything if the store is occupied, if mail was
/// posted, or if the caller belongs to an actor or a run. The tool then uses the ordinary verbs. It must know that no
/// task is running on the store's executor, if it has given it one.
extension Relux.StoreHandle {
    /// The way from the root to the scope of this handle.
    @usableFromInline package var path: InstancePath { InstancePath(address: scope) }

    /// Dispatches an action that concerns nothing but reducers, observers and readers.
    ///
    /// - Parameters:
    ///   - isolation: The caller's.
    ///   - willReduce: Looks at the states before the reducers run, inside the store. It returns the time on the
    ///     store's clock, since the store was created; nil if nothing must happen.
    ///   - didReduce: Looks at the states after them, before the observers do, and takes the record of the action.
    ///   - own: How many of the store's first observers are the tool's. They aren't told of the action.
    /// - Returns: The action's sequence number; nil if it concerns anything else.
    package func dispatchStep(
        _ action: some Relux.Action, at site: Relux.CallSite, from isolation: (any Actor)?, notTelling own: Int,
        willReduce: @Sendable (StepStates) -> Duration?,
        didReduce: @Sendable (StepStates, Relux.ActionRecord) -> Void
    ) -> UInt64? {
        guard run == nil else { return nil }
        let sequence = core.dispatchStepIfQuiet(
            action, in: scope, at: site, from: isolation, notTelling: own, willReduce: willReduce,
            didReduce: didReduce
        )
        return sequence == 0 ? nil : sequence
    }

    /// Reads the states.
    ///
    /// - Parameter isolation: The caller's.
    package func readIfQuiet<Value: Sendable>(
        from isolation: (any Actor)?, _ body: @Sendable (borrowing Relux.StateReader) -> Value
    ) -> Value? {
        core.visitIfQuiet(from: isolation) { core in
            body(Relux.StateReader(at: .scope(core.root), core.reporter, isOpen: core.phase == .open))
        }
    }

    /// Whether nothing is left to do.
    ///
    /// - Parameter isolation: The caller's.
    package func isIdleIfQuiet(from isolation: (any Actor)?) -> Bool? {
        core.visitIfQuiet(from: isolation) { core in core.runs.isIdle }
    }

    /// Registers modules, and reads the states before anything else can change them.
    package nonisolated(nonsending) func register(
        _ modules: [any Relux.Module], at site: Relux.CallSite,
        reading body: @Sendable (borrowing Relux.StateReader) -> Void
    ) async throws(Relux.StoreError) {
        try await core.enterInline(as: origin) { core, origin -> Result<Void, Relux.StoreError> in
            do throws(Relux.StoreError) {
                _ = try core.register(modules, holding: .name, as: origin, at: site)
                body(Relux.StateReader(at: .scope(core.root), core.reporter))
                return .success(())
            } catch {
                return .failure(error)
            }
        }.get()
    }
}
