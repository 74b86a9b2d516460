/// Performing, waiting for what was set off, and cancelling it.
extension Core {
    /// Takes an effect whose caller awaits the completion.
    ///
    /// - Parameters:
    ///   - effect: The effect.
    ///   - completion: What the caller awaits.
    ///   - depth: How deep in its thread a run would stand that the caller begins; 0 if runs begin elsewhere.
    ///   - speaker: Who performs.
    ///   - site: The line that asks.
    /// - Returns: A run of this very effect that the caller has to begin.
    func perform<E: Relux.Effect>(
        _ effect: E, _ completion: Completion, depth: Int, by speaker: Speaker, at site: Relux.CallSite
    ) -> Beginning? {
        let intake = Intake(
            speaker: speaker, site: site, completion: completion, output: E.Output.self, depth: depth
        )
        guard !completion.isAbandoned else {
            if phase == .open {
                _ = mayWrite(speaker, effect, at: site)
            } else {
                report(.storeShutDown, action: effect, at: site)
            }
            refuse(completion, .cancelled)
            return nil
        }
        let taken = accept(effect, intake)
        switch taken.disposition {
        case .taken: break
        case .dropped: refuse(completion, .dropped)
        case .refused: refuse(completion, .cancelled)
        case .storeShutDown: refuse(completion, .storeShutDown)
        case .unhandled where taken.completion == nil: refuse(completion, .unhandled)
        case .unhandled: completion.note(refusal: .unhandled)
        }
        return beginning.take()
    }

    private func refuse(_ completion: Completion, _ refusal: Relux.EffectError) {
        completion.note(refusal: refusal)
        completion.end()
    }

    /// Reports a wait that could never end.
    private func refuseCycle(
        _ run: RunTable.RunID, _ blocker: RunTable.RunID, at site: Relux.CallSite?
    ) -> Relux.EffectError? {
        guard let waiting = entries.at(run)?.pointee.record, let on = entries.at(blocker)?.pointee.record else {
            return nil
        }
        report(.waitCycle(waiting: waiting, on: on), action: on.trigger, at: site)
        return .serialCycle(waiting: waiting, on: on)
    }

    /// A run performed something and awaits it. Where it could never end, it is cancelled and its caller told.
    func startWaiting(_ run: RunTable.RunID, for completion: Completion, at site: Relux.CallSite) {
        guard let blocker = table.wait(run, for: completion.group) else { return }
        if let refusal = refuseCycle(run, blocker, at: site) { completion.note(refusal: refusal) }
        completions.remove(completion.group)
        carryOut(table.cancel(table.members(of: completion.group)))
        completion.end()
    }

    /// A task awaits what an action set off. Where it is a run that could never go on, it hears so.
    func wait(_ speaker: Speaker, for completion: Completion) -> Relux.EffectError? {
        guard speaker.run != 0, let blocker = table.wait(speaker.run, for: completion.group) else { return nil }
        return refuseCycle(speaker.run, blocker, at: nil)
    }

    /// The task that awaits a performed effect was cancelled.
    func cancel(group: RunTable.GroupID) {
        carryOut(table.cancel(group: group))
        settle()
    }

    /// Cancels the runs of a saga, all or those of one policy id.
    func cancel(_ saga: Any.Type, id: AnySendableHashable?) {
        let targets = entries.keys { $0.run.record.saga == saga && $0.run.record.kind != .timeout }
            .filter { id == nil || table.runs.at($0)?.pointee.policy.id == id }
        carryOut(table.cancel(targets))
        settle()
    }
}
