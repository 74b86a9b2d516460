/// `actions { }`: one action after the other or all together, each with everything that it triggers.
extension Relux.StoreHandle {
    nonisolated(nonsending) func actions(
        _ execution: Relux.Execution, _ actions: [any Relux.Action], at site: Relux.CallSite
    ) async -> Relux.ActionResult {
        var tally = ActionTally()
        var open: [AwaitedAction] = []
        for action in actions {
            guard !Task.isCancelled else {
                await reportIfStale(action, at: site)
                tally.wasCancelled = true
                break
            }
            let awaited = await dispatchAndWait(action, at: site)
            tally.add(awaited.receipt.refusal)
            switch execution {
            case .serially: await tally.add(awaited.end(in: core))
            case .concurrently: open.append(awaited)
            }
        }
        for awaited in open { await tally.add(awaited.end(in: core)) }
        return tally.result
    }

    /// Reports the write of a run that has ended. Any other caller learns from the result that it was cancelled.
    private nonisolated(nonsending) func reportIfStale(_ action: any Relux.Action, at site: Relux.CallSite) async {
        await core.enter(as: caller) { core, caller in _ = core.mayWrite(caller, action, at: site) }
    }

    /// Takes an action, and adds the caller's wait to the wait-for graph in the same step.
    ///
    /// There is therefore no moment at which the triggered work seems to be awaited by nobody.
    private nonisolated(nonsending) func dispatchAndWait<A: Relux.Action>(
        _ action: A, at site: Relux.CallSite
    ) async -> AwaitedAction {
        await core.enter(as: caller) { core, caller in
            let receipt = core.step(of: action, as: caller, at: site, for: .awaiting)
            let refusal = receipt.group.flatMap { core.wait(caller.waiter, for: $0) }
            return AwaitedAction(receipt: receipt, run: caller.waiter, refusal: refusal)
        }
    }
}

/// An action whose caller awaits what it triggered.
private struct AwaitedAction: Sendable {
    let receipt: Receipt
    /// The run that awaits it; 0 if none does.
    let run: RunID
    /// Why the run can't wait for it.
    let refusal: Relux.EffectError?

    /// Waits until what the action triggered has ended. Nil if it triggered nothing.
    nonisolated(nonsending) func end(in core: Core) async -> GroupSummary? {
        guard let group = receipt.group else { return nil }
        if let refusal { return GroupSummary(refusal: refusal) }
        return await group.wait(as: run, in: core)
    }
}
