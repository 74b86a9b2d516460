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
        let own = CurrentRun.identity(current, in: core)
        // A run starts on this thread, unless the caller is isolated or a task executor decides who runs.
        let depth = inlineDepth(from: #isolation, in: current)
        let waiter = own.waiter
        let origin = if let run { Origin(run) } else { Origin(taskOf: own, in: scope) }
        let performed = await core.enterInline(as: origin, isInRun: current.run != 0) { core, origin in
            core.perform(effect, awaitedBy: waiter, depth: depth, as: origin, at: site)
        }
        // Only then, because nothing may suspend before the entry: fired callbacks would lose their order.
        await performed.end(isYielding: depth > 0 && core.yields.isDue(at: performed.number))
        return try performed.completion.result.output(of: E.Output.self)
    }

    /// The nesting depth of a run that is started inline now; 0 if it must start on the pool.
    private func inlineDepth(from isolation: (any Actor)?, in current: RunIdentity) -> Int {
        guard isolation == nil, core.carrier == nil else { return 0 }
        // Also the depth of another store's run: all of them share this thread's stack.
        let depth = current.run == 0 ? 1 : max(current.depth, 1) + 1
        return depth <= Self.depthLimit ? depth : 0
    }
}

extension Core.Performed {
    /// Starts the run that must be started inline, and waits until everything that the effect triggered has ended.
    ///
    /// - Parameter isYielding: Whether the task yields its thread at the end.
    // Not a part of `perform`, because that is generic, and what it keeps across a suspension is allocated separately.
    @inline(never)
    fileprivate nonisolated(nonsending) func end(isYielding: Bool) async {
        if completion.hasEnded {
            // The group has ended without the run: the wait was refused, the store was released, or the performer was
            // cancelled while others share the run. The table counts the run as started, so its task must exist.
            inline?.startInline()
        } else {
            await withTaskCancellationHandler {
                inline?.startInline()
                await completion.wait()
            } onCancel: {
                completion.abandon()
            }
        }
        if isYielding { await Task.yield() }
    }
}
