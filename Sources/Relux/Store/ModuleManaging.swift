extension Relux {
    /// The verbs that register and reset modules and cancel their work, shared by ``Store``, ``Scope``, and
    /// ``SagaContext``.
    ///
    /// - Scope: On a store, the verbs apply to its root. On a ``Scope``, or on the context of a run in an instance,
    ///   they apply to that instance and what it contains.
    /// - Isolation: The verbs can be called from anywhere.
    /// - Ordering: Each takes effect after everything that the calling task has dispatched and sent before.
    public protocol ModuleManaging: Sendable {
        /// Identifies the store, the scope, and the run on whose behalf the verbs are used.
        var handle: StoreHandle { get }
    }
}

extension Relux.ModuleManaging {
    /// Registers modules and the modules that they depend on: either all of them, or none. Returns when persisted
    /// states have been loaded and all of these modules are connected.
    ///
    /// An `Identifiable` module is registered once for each id, and opens a scope of its own. If a module of the same
    /// type (and id) is already registered, it stays and gets another owner. This is reported as
    /// ``StoreObserver/moduleShared(_:)``.
    ///
    /// - Throws: ``StoreError``, and the store is unchanged. Reasons are, among others: two modules own the same state,
    ///   an effect has two flows, a reducer belongs to a foreign state, a required module is missing, modules depend on
    ///   each other in a cycle, a saved state can't be loaded, the instance in which to register doesn't exist, or the
    ///   store was shut down.
    /// - Complexity: O(n) in what the modules list.
    public nonisolated(nonsending) func register(
        _ modules: any Relux.Module..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(Relux.StoreError) {
        try await handle.register(modules, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Registers the modules of a list, as ``register(_:fileID:line:)`` does: either all of them, or none.
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

    /// Replaces the registered module of the same type (and id), for example to swap a service.
    ///
    /// The states stay with their values. Everything else becomes that of the new module. One step cancels the runs of
    /// the old sagas, flows, and watchers, and starts the new watchers. The `actionOnCancel` of the cancelled runs, as
    /// the old sagas declare it, follows directly, before anything else sees the store. The call then waits until those
    /// runs have ended. The opening actions of the new module are not dispatched.
    ///
    /// - Ordering: The new sagas take every later trigger, even if old runs have not ended.
    /// - Cancellation: Ignored.
    /// - Throws: ``StoreError``, and the store is unchanged. Reasons are: no such module is registered, the new module
    ///   lists states of other types, or one of the reasons of `register`.
    public nonisolated(nonsending) func replace(
        _ module: some Relux.Module, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(Relux.StoreError) {
        try await handle.replace(with: module, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Removes one owner of a module, and the module itself if that was the last one.
    ///
    /// One step cancels the module's runs and removes its states, together with the modules that only it depended on.
    /// The call then waits until those runs have ended, so a service that ignores cancellation delays it. A module that
    /// others depend on, or that leases hold, stays until they are gone.
    ///
    /// If there is no owner to remove, this is reported. So is a call for an `Identifiable` module, which has to be
    /// unregistered with its id.
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
    /// Cancelled runs can't write any more, and watchers start again. Called from inside a run, it spares that run and
    /// the runs that await it: they continue, may still write, and are not started again if they are watchers.
    ///
    /// In an instance, this concerns everything in it. What the cancelled runs have performed outside is cancelled, and
    /// its `actionOnCancel` is reduced.
    ///
    /// A caller of `perform` or `actions` awaits a run from the step that triggered it, and a caller of
    /// ``Dispatched/finished()`` from that call on.
    ///
    /// - Cancellation: Ignored.
    /// - Parameters:
    ///   - kept: States that keep their values. The runs of their modules are cancelled nevertheless.
    ///   - sparing: With `.nobody`, the calling run and the runs that await it are cancelled too, but not waited for.
    ///     Runs that perform the calling run through a `Task {}` are cancelled in either case, and never waited for.
    ///   - action: Reduced after the reset, in the same step, in the caller's scope, such as the one that begins a new
    ///     session. Nobody sees the initial values in between. If a run resets, it is the cause. The call doesn't wait
    ///     for what the action triggers. It isn't reduced if the calling run may no longer write.
    public nonisolated(nonsending) func reset(
        except kept: [any Relux.State.Type] = [], sparing: Relux.ResetSparing = .caller,
        then action: (any Relux.Action)? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) async {
        await handle.reset(
            except: kept, sparing: sparing, then: action, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Resets some modules, as ``reset(except:sparing:then:fileID:line:)`` resets all: their states, runs, watchers,
    /// and throttles, with everything in their instances, and the instances that follow their states.
    ///
    /// Modules that these depend on stay as they are. What the cancelled runs have performed elsewhere is cancelled,
    /// and its `actionOnCancel` is reduced.
    ///
    /// - Parameters:
    ///   - modules: Their types. All instances of a module in the caller's scope are reset. A type that isn't
    ///     registered there is reported as ``Refusal/Reason/moduleNotRegistered(_:)``.
    ///   - sparing: As above.
    ///   - action: As above.
    public nonisolated(nonsending) func reset(
        only modules: [any Relux.Module.Type], sparing: Relux.ResetSparing = .caller,
        then action: (any Relux.Action)? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) async {
        await handle.reset(
            only: modules, sparing: sparing, then: action, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Cancels the runs of a saga, flow, or watcher, and what they perform. Never waits for their end.
    ///
    /// If there is no run, nothing happens. One that isn't registered is reported as
    /// ``Refusal/Reason/cancelledNothing(_:)``.
    public nonisolated(nonsending) func cancel(
        _ saga: any Relux.Runnable.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) async {
        await handle.cancel(saga, .all, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Cancels the runs that share a named lane, whichever sagas they belong to, and what they perform. Never waits.
    ///
    /// If there is no run, nothing happens.
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
        _ saga: any Relux.Runnable.Type, id: some Hashable & Sendable, fileID: StaticString = #fileID,
        line: UInt = #line
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
        _ saga: any Relux.Runnable.Type, where isIncluded: @escaping @Sendable (ID) -> Bool,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async {
        await handle.cancel(
            saga, .satisfying { $0.value(as: ID.self).map(isIncluded) }, at: Relux.CallSite(fileID: fileID, line: line)
        )
    }

    /// Starts the runs of a saga or flow that a debounce or a throttle holds back. Never waits for their end.
    ///
    /// For a page that is about to close, and for an app that goes to the background: what the user has just typed is
    /// saved now and not after the delay. A run in an instance ends with it, so await its end before closing the page.
    ///
    /// ```swift
    /// await store.flush(Drafts.Autosave.self)
    /// try await store.idle()
    /// ```
    ///
    /// If nothing is held back, nothing happens. A type that is not a registered saga, flow, or watcher is reported as
    /// ``Refusal/Reason/flushedNothing(_:)``.
    ///
    /// - Ordering: After everything that the calling task has dispatched and sent before. The runs start as at the end
    ///   of their delays: a debounced one supersedes the active run unless it was told to keep it, and a throttled one
    ///   opens the next window.
    /// - Complexity: O(n log n) in the number of runs of the saga.
    public nonisolated(nonsending) func flush(
        _ saga: any Relux.Runnable.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) async {
        await handle.flush(saga, .all, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Starts the runs of a saga or flow with one policy id that a debounce or a throttle holds back, as
    /// ``flush(_:fileID:line:)`` does.
    ///
    /// An id whose type differs from that of the ids of all current runs is reported as
    /// ``Refusal/Reason/flushedNothing(_:)``.
    ///
    /// - Parameter id: The id in the run's policy.
    public nonisolated(nonsending) func flush(
        _ saga: any Relux.Runnable.Type, id: some Hashable & Sendable, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async {
        await handle.flush(saga, .id(AnySendableHashable(id)), at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Saves unsaved changes without waiting for their ``SavingPace``, and returns when they have been saved. This
    /// includes everything that the calling task has dispatched or sent before, and the states of the instances inside.
    /// A state that isn't persisted counts as saved.
    ///
    /// Once this has returned, the saved values survive if the process is killed. Call it when an app goes to the
    /// background, at the end of a program, and before something is acknowledged to others.
    ///
    /// - Parameter states: The states to save; all of them if none is listed.
    /// - Cancellation: If the task or the run is cancelled, throws `CancellationError` at once. The saves continue. If
    ///   a reset has forgotten a change that was to be saved, it throws that when the other saves have ended.
    /// - Throws: The error that a save threw, ``StoreError/notLoaded(_:_:)`` for a state that isn't saved because it
    ///   could not be loaded, and ``StoreError/storeShutDown(at:)``.
    /// - Complexity: O(n) in the number of states and instances in the scope.
    public nonisolated(nonsending) func saved(
        _ states: any Relux.State.Type..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await handle.saved(states, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Erases the saved data of a state that could not be loaded, and saves the present value instead. From then on,
    /// the state is saved as usual.
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
