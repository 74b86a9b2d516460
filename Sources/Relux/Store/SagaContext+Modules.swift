extension Relux.SagaContext {
    /// Connects modules and what they depend on, all or nothing.
    ///
    /// A type that is registered already gets another owner and keeps its first instance; observers hear of it.
    ///
    /// - Parameters:
    ///   - modules: The modules.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Throws: ``Relux/StoreError``, and the store is as it was: two modules that own the same state, two flows for
    ///   one effect, a reducer of a foreign state, a circle of dependencies, a store that was shut down.
    /// - Complexity: O(n) in what the modules list and in the modules that are there.
    public nonisolated(nonsending) func register(
        _ modules: any Relux.Module..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(Relux.StoreError) {
        try await entrance.register(modules, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Takes one owner off a module, and removes it if that was the last.
    ///
    /// Its runs are cancelled and its states removed in one step, with what only it depended on; then it waits until
    /// those runs have ended. A service that ignores cancellation delays it. What can't be unregistered by name,
    /// because others depend on it or only leases hold it, stays, and observers hear of it.
    ///
    /// - Cancellation: It isn't cut short.
    /// - Parameters:
    ///   - module: The type of the module.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    public nonisolated(nonsending) func unregister(
        _ module: any Relux.Module.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) async {
        await entrance.unregister(module, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Registers a module for as long as the returned lease lives.
    ///
    /// - Parameters:
    ///   - module: The module.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The lease: end it, or release it.
    /// - Throws: ``Relux/StoreError``, as `register` does.
    public nonisolated(nonsending) func attach(
        _ module: any Relux.Module, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(Relux.StoreError) -> Relux.Lease {
        try await entrance.attach(module, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Cancels all runs and puts all states back to their initial values, in one step; then waits until those runs
    /// have ended. Watchers start anew.
    ///
    /// Nothing from before can write afterwards. Called from inside a run, it spares that run and those that await it,
    /// which may still write. Who awaits it by `perform` or `actions` does so from the step that set it off; who asks
    /// ``Relux/Dispatched/finished()``, from that call on.
    ///
    /// - Cancellation: It isn't cut short.
    /// - Parameters:
    ///   - kept: States that stay as they are. All runs are cancelled nevertheless.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    public nonisolated(nonsending) func reset(
        except kept: [any Relux.State.Type] = [], fileID: StaticString = #fileID, line: UInt = #line
    ) async {
        await entrance.reset(except: kept, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Cancels the runs of a saga, flow or watcher, and what they perform. It never waits for their ends.
    ///
    /// - Parameter saga: The type of the saga, flow or watcher.
    public nonisolated(nonsending) func cancel(_ saga: Any.Type) async {
        await entrance.cancel(saga, id: nil)
    }

    /// Cancels the runs of a saga, flow or watcher with one policy id, and what they perform. It never waits.
    ///
    /// - Parameters:
    ///   - saga: The type of the saga, flow or watcher.
    ///   - id: The id that its policy gave.
    public nonisolated(nonsending) func cancel(_ saga: Any.Type, id: some Hashable & Sendable) async {
        await entrance.cancel(saga, id: AnySendableHashable(id))
    }
}
