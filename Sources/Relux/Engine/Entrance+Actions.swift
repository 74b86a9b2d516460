/// `actions { }`: one action after the other, or side by side, each with all that it sets off.
extension Entrance {
    nonisolated(nonsending) func actions(
        _ execution: Relux.Execution, _ actions: [any Relux.Action], at site: Relux.CallSite
    ) async -> Relux.ActionResult {
        var tally = Tally()
        var open: [Awaited] = []
        for action in actions {
            guard !Task.isCancelled else {
                // A run that is over hears and reports it here; for anybody else the result says it.
                await engine.enter { [handle] core in
                    _ = core.mayWrite(core.speaker(handle), action, at: site)
                }
                tally.wasCancelled = true
                break
            }
            let awaited = await dispatchAndAwait(action, at: site)
            tally.add(awaited.taken)
            switch execution {
            case .serially: await tally.add(awaited)
            case .concurrently: open.append(awaited)
            }
        }
        for awaited in open { await tally.add(awaited) }
        return tally.result
    }
}

/// What `actions { }` adds up.
private struct Tally {
    var failures: [any Error] = []
    var wasCancelled = false

    var result: Relux.ActionResult {
        if !failures.isEmpty { return .failure(failures) }
        return wasCancelled ? .cancelled : .success
    }

    mutating func add(_ taken: Taken) {
        switch taken.disposition {
        case .taken: break
        case .unhandled: failures.append(Relux.EffectError.unhandled)
        case .storeShutDown: failures.append(Relux.EffectError.storeShutDown)
        case .dropped, .refused: wasCancelled = true
        }
    }

    nonisolated(nonsending) mutating func add(_ awaited: Awaited) async {
        guard let completion = awaited.taken.completion else { return }
        let waited: Completion.Waited =
            if let refusal = awaited.refusal { .never(refusal) } else {
                await completion.waitUnlessCancelled(as: awaited.run)
            }
        switch waited {
        case .ended:
            failures.append(contentsOf: completion.failures)
            if completion.wasCutShort { wasCancelled = true }
        case .cancelled:
            wasCancelled = true
        case .never(let error):
            failures.append(error)
        }
    }
}

/// An action whose caller awaits what it set off.
private struct Awaited: Sendable {
    let taken: Taken
    /// The run that awaits it, or 0.
    let run: RunTable.RunID
    /// Why the run can't wait for it.
    let refusal: Relux.EffectError?
}

extension Entrance {
    /// Takes an action, and notes in the same step that the run whose task this is awaits what it sets off.
    ///
    /// So there is no moment at which that goes on and nobody seems to wait for it.
    private nonisolated(nonsending) func dispatchAndAwait<A: Relux.Action>(
        _ action: A, at site: Relux.CallSite
    ) async -> Awaited {
        let waiting = Speaker.ofCurrentTask(in: engine)
        return await engine.enter { [handle] core in
            let taken = core.take(action, by: core.speaker(handle), at: site)
            let refusal = taken.completion.flatMap { core.wait(waiting, for: $0) }
            return Awaited(taken: taken, run: waiting.run, refusal: refusal)
        }
    }
}
