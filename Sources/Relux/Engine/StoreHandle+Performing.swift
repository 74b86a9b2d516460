/// `perform`: entering with an effect, starting its run inline, and awaiting the result.
extension Relux.StoreHandle {
    /// The number of runs that may be started inline inside each other, so that they don't overflow the stack.
    private static let depthLimit = 8

    /// Performs an effect and awaits what it triggers.
    ///
    /// A cancellation before the entry is noticed inside, and a later one by the handler, so none is lost. The handler
    /// is installed only after the entry, because its closure leaves the caller's actor: callers of one actor would
    /// then overtake each other on their way in.
    // inline: the verb is the only caller, and each asynchronous call allocates a frame.
    @inline(__always)
    nonisolated(nonsending) func perform<E: Relux.Effect>(
        _ effect: E, at site: Relux.CallSite
    ) async throws(Relux.EffectError) -> E.Output {
        // Looked up once, because that costs as much as the rest of a dispatch.
        let current = CurrentRun.inAnyStore
        let own = current.flatMap { CurrentRun.handle($0, in: core) }
        // A run starts on this thread, unless the caller is isolated or a task executor decides who runs.
        let depth = inlineDepth(from: #isolation, in: current)
        let waiter = own?.awaitsCurrentTask == true ? own?.record.id ?? 0 : 0
        let origin = run.map { Origin($0) } ?? Origin(taskOf: own, in: scope)
        let performed = await core.enterInline(as: origin, isInRun: current != nil) { core, origin in
            core.perform(effect, awaitedBy: waiter, depth: depth, as: origin, at: site)
        }
        let completion = performed.completion
        if !completion.hasEnded {
            await withTaskCancellationHandler {
                performed.inline?.startInline()
                await completion.wait()
            } onCancel: {
                completion.abandon()
            }
        }
        // Only now, because nothing may suspend before the entry: fired callbacks would lose their order.
        if depth > 0, core.yields.isDue(at: performed.number) { await Task.yield() }
        return try completion.result.output(of: E.Output.self)
    }

    /// The nesting depth of a run that is started inline now; 0 if it must start on the pool.
    private func inlineDepth(from isolation: (any Actor)?, in current: RunHandle?) -> Int {
        guard isolation == nil, core.carrier == nil else { return 0 }
        // Also the depth of another store's run: all of them share this thread's stack.
        let depth = current.map { max($0.depth, 1) + 1 } ?? 1
        return depth <= Self.depthLimit ? depth : 0
    }
}
