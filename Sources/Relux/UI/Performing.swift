extension Relux.Dispatcher {
    /// Dispatches an effect, and returns when its work has ended. Cancelling the calling task cancels the work, and
    /// returns without waiting for its end.
    ///
    /// No caller receives the result, so a failure appears in the store's `failures`.
    nonisolated(nonsending) func performing(_ effect: some Relux.Effect, at site: Relux.CallSite) async {
        guard !Task.isCancelled else { return }
        let dispatched = await handle.dispatch(effect, at: site)
        await withTaskCancellationHandler {
            await dispatched.finished()
        } onCancel: {
            dispatched.cancel()
        }
    }
}
