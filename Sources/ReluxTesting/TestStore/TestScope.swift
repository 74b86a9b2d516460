import Relux
import Testing

extension TestStore {
    /// An instance of a module, for steps and expectations inside of it.
    ///
    /// ```swift
    /// let chat = store.scope(of: Chat.Module.self, id: "c1")
    /// await chat.dispatch(Chat.State.Action.received("Hello")) { (chat: inout Chat.State) in
    ///     chat.messages = ["Hello"]
    /// } _: { (inbox: inout Inbox.State) in
    ///     inbox.unread["c1"] = 1
    /// }
    /// ```
    ///
    /// A closure changes the innermost state of its type, from the instance outward. Use ``change(_:)`` to state the
    /// changes of other instances in the same step.
    public struct Scope: Sendable {
        let store: TestStore

        /// The instance.
        public let scope: Relux.Scope
    }

    /// A change of a state in an instance, as one of several that a step makes.
    public struct Change {
        let change: any AnyStateChange
    }

    /// An instance that is registered in the root, whether or not it exists at the moment.
    public func scope<M: Relux.Module & Identifiable>(of module: M.Type, id: M.ID) -> Scope where M.ID: Sendable {
        Scope(store: self, scope: store.scope(of: module, id: id))
    }

    /// Whether the instance exists once the work of the store has come to rest.
    ///
    /// - Parameter scope: An instance of this store.
    public nonisolated(nonsending) func isOpen(_ scope: Scope) async -> Bool { await isOpen(scope.scope) }

    /// Whether the instance exists once the work of the store has come to rest.
    ///
    /// - Parameter scope: An instance of this store. Those of other stores aren't open.
    public nonisolated(nonsending) func isOpen(_ scope: Relux.Scope) async -> Bool {
        await executor.rest()
        return (try? await executor.value { [store] in await store.isOpen(scope) }) ?? false
    }

    /// Dispatches an action that changes states of several instances.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - others: The changes of instances, made by ``Scope/change(_:)``.
    ///   - changes: One closure for each state of the root that this action changes.
    public nonisolated(nonsending) func dispatch<each S: Relux.State>(
        _ action: some Relux.Action,
        changing others: [Change],
        _ changes: repeat @escaping (inout each S) -> Void,
        fileID: StaticString = #fileID,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let stated = list(repeat each changes) + others.map(\.change)
        await dispatch(action, to: store, stated, fileID, sourceLocation)
    }

    /// Receives the next action that the test did not dispatch itself, which changes states of several instances.
    ///
    /// - Parameters:
    ///   - action: The expected action.
    ///   - others: The changes of instances, made by ``Scope/change(_:)``.
    ///   - changes: One closure for each state of the root that this action changes.
    public nonisolated(nonsending) func receive<A: Relux.Action & Equatable, each S: Relux.State>(
        _ action: A,
        changing others: [Change],
        _ changes: repeat @escaping (inout each S) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let stated = list(repeat each changes) + others.map(\.change)
        _ = await receive(.equal(to: action), nil, stated, sourceLocation)
    }

    /// States changes of several instances that no action made, such as those of a reset, or of an instance that was
    /// closed and opened again.
    ///
    /// - Parameters:
    ///   - others: The changes of instances, made by ``Scope/change(_:)``.
    ///   - changes: One closure for each state of the root that has changed since the last step.
    public nonisolated(nonsending) func changed<each S: Relux.State>(
        changing others: [Change],
        _ changes: repeat @escaping (inout each S) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await changed(list(repeat each changes) + others.map(\.change), sourceLocation)
    }
}

extension TestStore.Scope {
    /// An instance that is registered in this one.
    public func scope<M: Relux.Module & Identifiable>(of module: M.Type, id: M.ID) -> TestStore.Scope
    where M.ID: Sendable {
        TestStore.Scope(store: store, scope: scope.scope(of: module, id: id))
    }

    /// States a change of the innermost state of a type, for a step that changes several instances.
    public func change<S: Relux.State>(_ change: @escaping (inout S) -> Void) -> TestStore.Change {
        TestStore.Change(change: StateChange(in: scope, change))
    }

    /// Dispatches an action in the instance and runs the work that it triggers until nothing more can run.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - changes: One closure for each state that this action changes.
    public nonisolated(nonsending) func dispatch<each S: Relux.State>(
        _ action: some Relux.Action,
        _ changes: repeat @escaping (inout each S) -> Void,
        fileID: StaticString = #fileID,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let stated = store.list(repeat each changes, from: scope)
        await store.dispatch(action, to: scope, stated, fileID, sourceLocation)
    }

    /// Dispatches an action in the instance and runs the work that it triggers until nothing more can run.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - others: Changes of other instances in the same step.
    ///   - changes: One closure for each state that this action changes.
    public nonisolated(nonsending) func dispatch<each S: Relux.State>(
        _ action: some Relux.Action,
        changing others: [TestStore.Change],
        _ changes: repeat @escaping (inout each S) -> Void,
        fileID: StaticString = #fileID,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let stated = store.list(repeat each changes, from: scope) + others.map(\.change)
        await store.dispatch(action, to: scope, stated, fileID, sourceLocation)
    }

    /// Dispatches one of a state's own actions in the instance, and states how it changes that state.
    public nonisolated(nonsending) func dispatch<S: Relux.State>(
        _ action: S.Action,
        to state: S.Type,
        _ change: (inout S) -> Void,
        fileID: StaticString = #fileID,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await store.dispatch(action, to: scope, from: scope, change, fileID, sourceLocation)
    }

    /// Dispatches one of a state's own actions that changes nothing in the instance.
    public nonisolated(nonsending) func dispatch<S: Relux.State>(
        _ action: S.Action,
        to state: S.Type,
        fileID: StaticString = #fileID,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await dispatch(action, fileID: fileID, sourceLocation: sourceLocation)
    }

    /// Performs an effect in the instance and runs the work that it triggers until nothing more can run.
    ///
    /// - Parameters:
    ///   - effect: The effect.
    ///   - changes: One closure for each state that this effect changes.
    /// - Returns: The performance. Its output is available once its runs have ended.
    @discardableResult
    public nonisolated(nonsending) func perform<E: Relux.Effect, each S: Relux.State>(
        _ effect: E,
        _ changes: repeat @escaping (inout each S) -> Void,
        fileID: StaticString = #fileID,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> TestStore.Performance<E.Output> {
        let stated = store.list(repeat each changes, from: scope)
        return await store.perform(effect, on: scope, stated, fileID, sourceLocation)
    }

    /// Performs an effect in the instance and runs the work that it triggers until nothing more can run.
    ///
    /// - Parameters:
    ///   - effect: The effect.
    ///   - others: Changes of other instances in the same step.
    ///   - changes: One closure for each state that this effect changes.
    /// - Returns: The performance. Its output is available once its runs have ended.
    @discardableResult
    public nonisolated(nonsending) func perform<E: Relux.Effect, each S: Relux.State>(
        _ effect: E,
        changing others: [TestStore.Change],
        _ changes: repeat @escaping (inout each S) -> Void,
        fileID: StaticString = #fileID,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> TestStore.Performance<E.Output> {
        let stated = store.list(repeat each changes, from: scope) + others.map(\.change)
        return await store.perform(effect, on: scope, stated, fileID, sourceLocation)
    }

    /// Receives the next action that the test did not dispatch itself, which must have been taken by this instance.
    ///
    /// - Parameters:
    ///   - action: The expected action.
    ///   - changes: One closure for each state that this action changes.
    public nonisolated(nonsending) func receive<A: Relux.Action & Equatable, each S: Relux.State>(
        _ action: A,
        _ changes: repeat @escaping (inout each S) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let stated = store.list(repeat each changes, from: scope)
        _ = await store.receive(.equal(to: action).in(scope), nil, stated, sourceLocation)
    }

    /// Receives the next action that the test did not dispatch itself, which must have been taken by this instance.
    ///
    /// - Parameters:
    ///   - action: The expected action.
    ///   - others: Changes of other instances in the same step.
    ///   - changes: One closure for each state that this action changes.
    public nonisolated(nonsending) func receive<A: Relux.Action & Equatable, each S: Relux.State>(
        _ action: A,
        changing others: [TestStore.Change],
        _ changes: repeat @escaping (inout each S) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let stated = store.list(repeat each changes, from: scope) + others.map(\.change)
        _ = await store.receive(.equal(to: action).in(scope), nil, stated, sourceLocation)
    }

    /// Receives the next action, which must have a given type and have been taken by this instance.
    ///
    /// - Returns: The action; nil if the expectation failed.
    @discardableResult
    public nonisolated(nonsending) func receive<A: Relux.Action, each S: Relux.State>(
        _ type: A.Type,
        _ changes: repeat @escaping (inout each S) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> A? {
        let stated = store.list(repeat each changes, from: scope)
        return await store.receive(.ofType(type).in(scope), nil, stated, sourceLocation) as? A
    }

    /// Receives the next action, which must be one of a state's own actions and have been taken by this instance, and
    /// states how it changes that state.
    ///
    /// - Cancellation: A wait for work that has left the scheduler ends when the task is cancelled.
    /// - Parameters:
    ///   - action: The expected action.
    ///   - state: The state whose action it is.
    ///   - limit: How long to wait, in real time, for work that has left the scheduler. With nil, it doesn't wait.
    ///   - change: Turns the state before the action into the state after it. Other states must not change, unless
    ///     exhaustivity is off.
    public nonisolated(nonsending) func receive<S: Relux.State>(
        _ action: S.Action,
        in state: S.Type,
        within limit: Duration? = nil,
        _ change: (inout S) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async where S.Action: Equatable {
        await store.receive(.equal(to: action).in(scope), limit, from: scope, change, sourceLocation)
    }

    /// Receives the next action, which must be one of a state's own actions and have been taken by this instance, and
    /// must change nothing.
    ///
    /// - Cancellation: A wait for work that has left the scheduler ends when the task is cancelled.
    /// - Parameters:
    ///   - action: The expected action. It must not change any state, unless exhaustivity is off.
    ///   - state: The state whose action it is.
    ///   - limit: How long to wait, in real time, for work that has left the scheduler. With nil, it doesn't wait.
    public nonisolated(nonsending) func receive<S: Relux.State>(
        _ action: S.Action,
        in state: S.Type,
        within limit: Duration? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async where S.Action: Equatable {
        _ = await store.receive(.equal(to: action).in(scope), limit, [], sourceLocation)
    }

    /// States changes that no action made, such as those of an instance that was closed and opened again.
    ///
    /// - Parameter changes: One closure for each state that has changed since the last step.
    public nonisolated(nonsending) func changed<each S: Relux.State>(
        _ changes: repeat @escaping (inout each S) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await store.changed(store.list(repeat each changes, from: scope), sourceLocation)
    }

    /// Returns the current value of a state, in the innermost scope from the instance outward that owns it.
    ///
    /// - Throws: `StoreError.noInstance` if the instance doesn't exist, `StoreError.stateNotOwned` if no registered
    ///   module owns the state.
    public func state<S: Relux.State>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> S {
        try await store.executor.value { [scope] in try await scope.state(of: type, fileID: fileID, line: line) }
    }
}
