extension Relux {
    /// Registers modules, resets them, and cancels their work: what ``Store``, ``Scope``, and ``SagaContext`` have in
    /// common.
    ///
    /// - Scope: The verbs of a store apply to its root. Those of a ``Scope``, and of a context in an instance, apply to
    ///   that instance and what it contains.
    /// - Isolation: The verbs can be called from anywhere.
    /// - Ordering: Each comes after everything that the calling task has dispatched and sent before.
    public protocol ModuleManaging: Sendable {
        /// The store, and on whose behalf it is used.
        var handle: StoreHandle { get }
    }
}

extension Relux.ModuleManaging {
    /// Connects modules and what they depend on, all or nothing.
    ///
    /// An `Identifiable` module is registered once for each id, and opens a scope of its own. A module whose type (and
    /// id) is already registered gets another owner, and the first one stays. This is reported as
    /// ``StoreObserver/moduleShared(_:)``.
    ///
    /// - Throws: ``StoreError``, and the store is unchanged: two modules own the same state, an effect has two flows, a
    ///   reducer belongs to a foreign state, a required module is missing, modules depend on each other in a cycle, the
    ///   instance in which to register doesn't exist, or the store was shut down.
    /// - Complexity: O(n) in what the modules list.
    public nonisolated(nonsending) func register(
        _ modules: any Relux.Module..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(Relux.StoreError) {
        try await handle.register(modules, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Connects the modules of a list and what they depend on, all or nothing.
    ///
    /// - Throws: ``StoreError``, as ``register(_:fileID:line:)`` does.
    /// - Complexity: O(n) in what the modules list.
    public nonisolated(nonsending) func register(
        contentsOf modules: [any Relux.Module], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(Relux.StoreError) {
        try await handle.register(modules, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Doesn't exist: the verb for a list is ``register(contentsOf:fileID:line:)``.
    @available(*, unavailable, message: "Use `register(contentsOf:)` for a list of modules.")
    public nonisolated(nonsending) func register(
        _ modules: [any Relux.Module], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(Relux.StoreError) {}

    /// Replaces the registered module of a type (and id) by another instance, as when a service is swapped.
    ///
    /// The states stay with their values. Sagas, flows, watchers, reducers, dependencies, required modules, children,
    /// and initial values become those of the new instance. One step cancels the runs of the old sagas, flows, and
    /// watchers, starts the new watchers, and reduces the `actionOnCancel` of the cancelled runs. The call then waits
    /// until those runs have ended.
    ///
    /// - Ordering: A trigger that comes after this is taken by the new sagas, even if old runs have not ended.
    /// - Cancellation: Ignored.
    /// - Throws: ``StoreError``, and the store is unchanged: no such module is registered, it lists states of other
    ///   types, or the new instance can't be registered for a reason that `register` has as well.
    public nonisolated(nonsending) func replace(
        _ module: some Relux.Module, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(Relux.StoreError) {
        try await handle.replace(with: module, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Removes one owner of a module, and the module itself if that was the last one.
    ///
    /// One step cancels the module's runs and removes its states, together with what only it depended on. The call then
    /// waits until those runs have ended, so a service that ignores cancellation delays it. A module that others depend
    /// on, or that leases hold, stays until they are gone. Without an owner to remove, a call is reported, and so is
    /// one for an `Identifiable` module, which needs an id.
    ///
    /// - Cancellation: Ignored.
    public nonisolated(nonsending) func unregister(
        _ module: any Relux.Module.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) async {
        await handle.unregister(module, id: nil, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Removes one owner of an instance, and the instance itself if that was the last one, as
    /// ``unregister(_:fileID:line:)`` does. If there is no such instance, this is reported.
    ///
    /// - Cancellation: Ignored.
    public nonisolated(nonsending) func unregister<M: Relux.Module & Identifiable>(
        _ module: M.Type, id: M.ID, fileID: StaticString = #fileID, line: UInt = #line
    ) async where M.ID: Sendable {
        await handle.unregister(
            module, id: AnySendableHashable(id), at: Relux.CallSite(fileID: fileID, line: line)
        )
    }

    /// The address of an instance that is registered in this scope, whether or not it exists at the moment.
    ///
    /// - Complexity: O(1). The instance is looked up with each call that is made through the scope.
    public func scope<M: Relux.Module & Identifiable>(of module: M.Type, id: M.ID) -> Relux.Scope
    where M.ID: Sendable {
        let handle = handle
        return Relux.Scope(
            handle.core, ScopeAddress(of: module, id: AnySendableHashable(id), in: handle.scope)
        )
    }

    /// Registers a module for as long as the returned lease lives.
    ///
    /// - Throws: ``StoreError``, as `register` does.
    public nonisolated(nonsending) func attach(
        _ module: any Relux.Module, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(Relux.StoreError) -> Relux.Lease {
        try await handle.attach(module, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Cancels all runs and restores all initial values, in one step. Then waits until those runs have ended.
    ///
    /// Nothing from before can write afterwards, and watchers start again, except one that waits for this reset and is
    /// spared by it. Called from inside a run, it spares that run and the runs that await it, which may still write. A
    /// caller of `perform` or `actions` awaits a run from the step that triggered it; a caller of
    /// ``Dispatched/finished()``, from that call on.
    ///
    /// - Cancellation: Ignored.
    /// - Parameters:
    ///   - kept: States that keep their values. Their runs are cancelled nevertheless.
    ///   - sparing: With `.nobody`, the calling run and the runs that await it are ended as well, but not waited for.
    ///     Runs that perform the calling run by way of a `Task {}` are ended, but not waited for in any case.
    public nonisolated(nonsending) func reset(
        except kept: [any Relux.State.Type] = [], sparing: Relux.ResetSparing = .caller,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async {
        await handle.reset(except: kept, sparing: sparing, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Cancels the runs of a saga, flow, or watcher, and what they perform. Never waits for their end.
    ///
    /// A type that is not a registered saga, flow, or watcher is reported as
    /// ``Refusal/Reason/cancelledNothing(_:)``. It is fine if there is no run.
    public nonisolated(nonsending) func cancel(
        _ saga: Any.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) async {
        await handle.cancel(saga, .all, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Cancels the runs that share a named lane, whichever sagas they belong to, and what they perform. Never waits.
    ///
    /// It is fine if there is no run.
    public nonisolated(nonsending) func cancel(
        _ lane: Relux.Lane, fileID: StaticString = #fileID, line: UInt = #line
    ) async {
        await handle.cancel(lane, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Cancels the runs of a saga, flow, or watcher that have one policy id, and what they perform. Never waits.
    ///
    /// An id whose type differs from that of the ids of all current runs is reported as
    /// ``Refusal/Reason/cancelledNothing(_:)``, as is a type that is not a registered saga, flow, or watcher.
    ///
    /// - Parameter id: The id in the run's policy.
    public nonisolated(nonsending) func cancel(
        _ saga: Any.Type, id: some Hashable & Sendable, fileID: StaticString = #fileID, line: UInt = #line
    ) async {
        await handle.cancel(saga, .id(AnySendableHashable(id)), at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Cancels the runs of a saga, flow, or watcher whose policy ids satisfy a predicate, and what they perform. Never
    /// waits.
    ///
    /// ```swift
    /// await store.cancel(Photos.Loader.self) { (id: Photo.ID) in !visible.contains(id) }
    /// ```
    ///
    /// The predicate names the type of the ids; those of other types are left alone. If the ids of all current runs
    /// have other types, this is reported as ``Refusal/Reason/cancelledNothing(_:)``, as is a type that is not a
    /// registered saga, flow, or watcher. Runs without an id are left alone as well.
    ///
    /// - Parameter isIncluded: Whether to cancel the runs with an id. It is called inside the store, once for each
    ///   different id, in any order, before anything is cancelled.
    /// - Complexity: O(n) in the number of different ids.
    public nonisolated(nonsending) func cancel<ID>(
        _ saga: Any.Type, where isIncluded: @escaping @Sendable (ID) -> Bool, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async {
        await handle.cancel(
            saga, .ids(of: ID.self, where: isIncluded), at: Relux.CallSite(fileID: fileID, line: line)
        )
    }

    /// Waits until everything that the calling task has dispatched or sent before is saved, and saves it without
    /// waiting for its pace. Instances inside are included. A state that isn't persisted counts as saved.
    ///
    /// What this has returned for is there after the process is killed. For going to the background, for the end of a
    /// program, and before something is acknowledged to others.
    ///
    /// - Parameter states: The states to be saved; none for all.
    /// - Cancellation: If the task or the run is cancelled, throws `CancellationError` at once. The saves continue.
    /// - Throws: What a save threw, ``StoreError/notLoaded(_:_:)`` for a state that isn't saved because it could not be
    ///   loaded, and ``StoreError/storeShutDown(at:)``.
    /// - Complexity: O(n) in the number of states and instances in the scope.
    public nonisolated(nonsending) func saved(
        _ states: any Relux.State.Type..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await handle.saved(states, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Erases what was saved of a state and could not be loaded, and saves the present value. From then on, the state
    /// is saved as usual.
    ///
    /// - Parameter state: A state of this scope, or of one around it.
    /// - Cancellation: As ``saved(_:fileID:line:)``.
    /// - Throws: As ``saved(_:fileID:line:)``, and ``StoreError/stateNotOwned(_:at:)``.
    public nonisolated(nonsending) func discardSaved(
        _ state: any Relux.State.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await handle.discardSaved(state, at: Relux.CallSite(fileID: fileID, line: line))
    }
}
