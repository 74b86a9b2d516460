extension Relux.ActionDispatching {
    /// Performs an effect, as `perform` does, but throws the flow's own error unchanged.
    ///
    /// ```swift
    /// do {
    ///     let notes = try await context.call(Notes.Load())
    ///     await context.dispatch(Notes.State.Action.loaded(notes))
    /// } catch let error as NotesError {
    ///     await context.dispatch(Notes.State.Action.failed(error))
    /// }
    /// ```
    ///
    /// - Cancellation: As with `perform`. If the run was cancelled or superseded, this throws a `CancellationError`. A
    ///   saga that doesn't catch it ends as cancelled.
    /// - Throws: The error of the flow or of the first saga that failed; `CancellationError`; or ``EffectError`` if the
    ///   effect was dropped, nothing handles it, the caller would wait for its own end, or the store was shut down.
    @discardableResult
    public nonisolated(nonsending) func call<E: Relux.Effect>(
        _ effect: E, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> E.Output {
        do {
            return try await perform(effect, fileID: fileID, line: line)
        } catch {
            switch error {
            case .failed(let cause): throw cause
            case .cancelled, .superseded: throw CancellationError()
            case .dropped, .unhandled, .noInstance, .serialCycle, .storeShutDown: throw error
            }
        }
    }
}
