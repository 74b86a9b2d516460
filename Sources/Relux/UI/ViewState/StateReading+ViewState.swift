extension Relux.StateReading {
    /// Creates an object that follows a state on the main actor, and shows its present value at once.
    ///
    /// The states are read on the calling thread, as by ``readNow(_:)``. If this is called during an update of view
    /// states, the others reach the point that this one shows in a further round of the update.
    ///
    /// - Throws: ``Relux/StoreError/stateNotOwned(_:at:)``, ``Relux/StoreError/noInstance(_:at:)``, or
    ///   ``Relux/StoreError/storeShutDown(at:)`` if there is nothing to show, which is also reported;
    ///   ``Relux/StoreError/insideStore(at:)`` inside a store.
    @MainActor
    public func viewState<S: Relux.State>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(Relux.StoreError) -> Relux.UI.ViewState<S> {
        let site = Relux.CallSite(fileID: fileID, line: line)
        return try ViewHub.viewState(.state(type, at: site), handle, at: site)
    }

    /// Creates an object that follows a part of a state on the main actor, and shows its present value at once.
    ///
    /// - Parameters:
    ///   - type: The state.
    ///   - select: Selects the part. It runs inside the store, so keep it short.
    /// - Throws: As ``viewState(of:fileID:line:)`` does.
    @MainActor
    public func viewState<S: Relux.State, Value: Equatable & Sendable>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line,
        _ select: @escaping @Sendable (S) -> Value
    ) throws(Relux.StoreError) -> Relux.UI.ViewState<Value> {
        let site = Relux.CallSite(fileID: fileID, line: line)
        return try ViewHub.viewState(.selection(select, at: site), handle, at: site)
    }

    /// Creates an object that follows a selection from several states on the main actor, and shows its present value at
    /// once.
    ///
    /// The states are read at a single point in the total order. A missing state is nil in the reader, and the
    /// selection is made again when the state appears or disappears.
    ///
    /// - Parameter select: Selects the value. It runs inside the store, so keep it short.
    /// - Throws: As ``viewState(of:fileID:line:)`` does, except that no state need exist.
    @MainActor
    public func viewState<Value: Equatable & Sendable>(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ select: @escaping @Sendable (borrowing Relux.StateReader) -> Value
    ) throws(Relux.StoreError) -> Relux.UI.ViewState<Value> {
        let site = Relux.CallSite(fileID: fileID, line: line)
        return try ViewHub.viewState(.selection(select, at: site), handle, at: site)
    }
}
