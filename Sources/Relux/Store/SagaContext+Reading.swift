extension Relux.SagaContext {
    /// A state, as it is when the store is entered.
    ///
    /// - Parameters:
    ///   - type: The state.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: Its value. It shares its storage with the store until either changes.
    /// - Throws: ``Relux/StoreError/stateNotOwned(_:at:)`` if no registered module owns it.
    public nonisolated(nonsending) func state<S: Relux.State>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(Relux.StoreError) -> S {
        try await entrance.state(of: type, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// Reads any states at one point of the total order.
    ///
    /// - Parameter body: Gets a reader. It runs inside the store, so keep it short.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws.
    public nonisolated(nonsending) func read<V: Sendable, F: Error>(
        _ body: @Sendable (borrowing Relux.StateReader) throws(F) -> V
    ) async throws(F) -> V {
        try await entrance.read(body)
    }

    /// The values of a state: the present one first, then one a touch, the latest if the reader is slow.
    ///
    /// - Parameters:
    ///   - type: The state.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence. It ends at once, and says so to the observers, if no module owns the state.
    public func values<S: Relux.State>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Relux.StateValues<S> {
        entrance.values(of: type, at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// What a closure selects from a state: the present value first, then each that differs from the one before.
    ///
    /// - Parameters:
    ///   - type: The state.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - select: Selects a small value. It runs inside the store, so keep it short.
    /// - Returns: The sequence.
    @inlinable
    public func values<S: Relux.State, V: Equatable & Sendable>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line,
        _ select: @escaping @Sendable (S) -> V
    ) -> Relux.StateValues<V> {
        entrance.values(StateSelection(select), at: Relux.CallSite(fileID: fileID, line: line))
    }

    /// What a closure selects from any states, at one point of the total order.
    ///
    /// - Parameter select: Selects a small value. It runs inside the store, so keep it short, and runs again only when
    ///   a state that it read has been touched or has appeared. If it throws, the sequence ends.
    /// - Returns: The sequence.
    public func values<V: Equatable & Sendable>(
        _ select: @escaping @Sendable (borrowing Relux.StateReader) throws -> V
    ) -> Relux.StateValues<V> {
        entrance.values(select)
    }

    /// Every action of one type, from this moment on.
    ///
    /// - Parameter type: The type of action.
    /// - Returns: A stream for one consumer. A watcher's first stream of a type that it listens to begins with the
    ///   registration of its module. Make it before what may answer it is dispatched.
    public func actionStream<A: Relux.Action>(of type: A.Type = A.self) -> Relux.ActionStream<A> {
        handle.inbox?.claim(type).map { engine.actionStream(from: $0) } ?? engine.actionStream(of: type)
    }
}
