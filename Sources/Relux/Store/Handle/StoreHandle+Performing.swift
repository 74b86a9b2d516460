/// `perform`: entering with an effect, starting its run inline, and awaiting the result.
extension Relux.StoreHandle {
    /// The number of runs that may be started inline inside each other, so that they don't overflow the stack.
    private static let depthLimit = 8

    /// Performs an effect and awaits what it triggers.
    ///
    /// A cancellation before the entry is noticed inside, and a later one by the handler, so none is lost. The handler
    /// is installed only after the entry, because its closure leaves the caller's actor: callers of one actor would
    /// then overtake each other on their way in.
    nonisolated(nonsending) func perform<E: Relux.Effect>(
        _ effect: E, at site: Relux.CallSite
    ) async throws(Relux.EffectError) -> E.Output {
        // A run starts on this thread, unless the caller is isolated or a task executor decides where code runs.
        let depth = inlineDepth(from: #isolation)
        let performed = await core.enter(as: origin) { core, origin in
            core.perform(effect, depth: depth, as: origin, at: site)
        }
        // Only then, because nothing may suspend before the entry: fired callbacks would lose their order.
        let summary = await withTaskCancellationHandler {
            performed.startInline?()
            return await performed.completion.wait()
        } onCancel: {
            performed.completion.abandon()
        }
        if depth > 0, core.yields.isDue(at: performed.number) { await Task.yield() }
        return try summary.output(of: E.Output.self)
    }

    /// The nesting depth of a run that is started inline now; 0 if it must start on the pool.
    private func inlineDepth(from isolation: (any Actor)?) -> Int {
        guard isolation == nil, core.carrier == nil else { return 0 }
        // Also the depth of another store's run: all of them share this thread's stack.
        let current = CurrentRun.identity
        let depth = current.run == 0 ? 1 : max(current.depth, 1) + 1
        return depth <= Self.depthLimit ? depth : 0
    }
}
