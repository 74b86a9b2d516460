extension Relux {
    /// The verbs that read the states of a store and follow its actions, shared by ``Store``, ``Scope``, and
    /// ``SagaContext``.
    ///
    /// - Isolation: The verbs can be called from anywhere. Closures that receive a ``StateReader``, and selections, are
    ///   executed inside the store: keep them short.
    /// - Ordering: A read comes after everything that the calling task has dispatched and sent before.
    /// - Lifetime: The sequences don't keep the store alive.
    public protocol StateReading: Sendable {
        /// Identifies the store, the scope, and the run on whose behalf the verbs are used.
        var handle: StoreHandle { get }
    }
}

extension Relux.StateReading {
    /// The current value of a state. It shares its storage with the store until either changes.
    ///
    /// - Throws: ``StoreError/stateNotOwned(_:at:)`` if no registered module owns the state,
    ///   ``StoreError/noInstance(_:at:)`` if there is no such instance, and ``StoreError/storeShutDown(at:)``. The
    ///   first two are also reported.
    public nonisolated(nonsending) func state<S: Relux.State>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(Relux.StoreError) -> S {
        try await handle.state(of: type, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Reads any states at one point of the total order.
    ///
    /// - Parameter body: Executed inside the store.
    public nonisolated(nonsending) func read<V: Sendable, F: Error>(
        _ body: @Sendable (borrowing Relux.StateReader) throws(F) -> V
    ) async throws(F) -> V {
        try await handle.read(body)
    }

    /// Whether the instance that a scope refers to exists now.
    ///
    /// It may be opened or closed before your next call. The root is open until the store is shut down.
    ///
    /// - Parameter scope: A scope of this store. Those of other stores aren't open.
    public nonisolated(nonsending) func isOpen(_ scope: Relux.Scope) async -> Bool {
        await handle.isOpen(scope)
    }

    /// The current value of a state, for code that can't await.
    ///
    /// Isolation, ordering, and blocking are those of ``ActionDispatching/dispatchNow(_:fileID:line:)``.
    ///
    /// - Throws: As ``state(of:fileID:line:)``; ``StoreError/insideStore(at:)`` inside a store, this or another one.
    @available(*, noasync, message: "Use `await state(of:)` in asynchronous code.")
    public func stateNow<S: Relux.State>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(Relux.StoreError) -> S {
        try handle.stateNow(at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Reads any states at one point of the total order, for code that can't await.
    ///
    /// Isolation, ordering, and blocking are those of ``ActionDispatching/dispatchNow(_:fileID:line:)``. Inside a
    /// store, this or another one, the body gets a reader that finds nothing, and whose `state(of:)` throws
    /// ``StoreError/insideStore(at:)``.
    ///
    /// - Parameter body: Executed on the calling thread, inside the store. It may use what belongs to the caller's
    ///   actor.
    @available(*, noasync, message: "Use `await read(_:)` in asynchronous code.")
    public func readNow<V, F: Error>(_ body: (borrowing Relux.StateReader) throws(F) -> V) throws(F) -> V {
        try handle.readNow(body)
    }

    /// The values of a state: the current one first, then one each time a reducer of the state has run. A slow reader
    /// gets only the latest.
    ///
    /// - Returns: The sequence. If no module owns the state, it ends immediately, and this is reported. That of an
    ///   instance that is being loaded begins when it is there.
    public func values<S: Relux.State>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Relux.StateValues<S> {
        Relux.StateValues(handle, .state(type, at: Relux.CallSite(fileID: fileID, line: line)))
    }

    /// The selections from a state: the current one first, then each that differs from the previous one.
    ///
    /// - Parameter select: Selects a small value. Executed inside the store.
    public func values<S: Relux.State, V: Equatable & Sendable>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line,
        _ select: @escaping @Sendable (S) -> V
    ) -> Relux.StateValues<V> {
        Relux.StateValues(handle, .selection(select, at: Relux.CallSite(fileID: fileID, line: line)))
    }

    /// Doesn't exist: tuples aren't `Equatable`, so selections of tuples can't be compared.
    @available(*, unavailable, message: "A tuple is not Equatable. Select an Equatable struct instead.")
    public func values<S: Relux.State, First, Second, each Other>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line,
        _ select: @escaping @Sendable (S) -> (First, Second, repeat each Other)
    ) -> Relux.StateValues<Bool> {
        values(of: type) { _ in false }
    }

    /// The selections from any states, each made at one point of the total order.
    ///
    /// - Parameter select: Selects a small value. Executed inside the store, and again only when a state that it read
    ///   has been touched or has appeared. The sequence ends when it throws.
    public func values<V: Equatable & Sendable>(
        _ select: @escaping @Sendable (borrowing Relux.StateReader) throws -> V
    ) -> Relux.StateValues<V> {
        Relux.StateValues(handle, .selection(select))
    }

    /// Doesn't exist: tuples aren't `Equatable`, so selections of tuples can't be compared.
    @available(*, unavailable, message: "A tuple is not Equatable. Select an Equatable struct instead.")
    public func values<First, Second, each Other>(
        _ select: @escaping @Sendable (borrowing Relux.StateReader) throws -> (First, Second, repeat each Other)
    ) -> Relux.StateValues<Bool> {
        values { _ in false }
    }

    /// All actions of one type from now on.
    ///
    /// - Parameters:
    ///   - type: The exact type of the actions.
    ///   - buffering: How many actions the stream keeps while its consumer is busy.
    /// - Returns: A stream for one consumer. Create it before you dispatch an action whose answer it should receive. In
    ///   a run, the first stream of a type in its `listens` starts with the trigger, and in a watcher with the
    ///   registration of the module.
    public func actionStream<A: Relux.Action>(
        of type: A.Type = A.self, buffering: Relux.StreamBuffering = .unbounded
    ) -> Relux.ActionStream<A> {
        handle.actionStream(of: [type], buffering: buffering)
    }

    /// All actions of several types from now on, in the order of the store.
    ///
    /// - Parameters:
    ///   - types: The exact types of the actions.
    ///   - buffering: How many actions the stream keeps while its consumer is busy. All types share one buffer.
    /// - Returns: A stream for one consumer. A type in the `listens` of a run of which no other stream has been
    ///   created is included from the trigger on, and in a watcher from the registration of the module on.
    public func actionStream(
        ofAny types: any Relux.Action.Type..., buffering: Relux.StreamBuffering = .unbounded
    ) -> Relux.AnyActionStream {
        handle.actionStream(of: types, buffering: buffering)
    }
}
