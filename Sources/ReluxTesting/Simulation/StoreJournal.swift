import Relux

/// An observer that writes the events of one of a world's stores to the journal.
struct StoreJournal: Relux.StoreObserver {
    let journal: Journal
    let store: Int

    func actionReduced(_ record: Relux.ActionRecord, leaving states: borrowing Relux.StateReader) {
        journal.add(.actionReduced(record), of: store)
        journal.check(states, after: record, of: store)
    }

    func runStarted(_ run: Relux.RunRecord) {
        journal.add(.runStarted(run), of: store)
    }

    func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
        journal.add(.runEnded(run, outcome, lateError: lateError), of: store)
    }

    func refused(_ refusal: Relux.Refusal) {
        journal.add(.refused(refusal), of: store)
        journal.noteRefused(refusal)
    }

    func failureUnreceived(of run: Relux.RunRecord, _ error: any Error) {
        journal.noteUnreceived(error, of: run)
    }

    func moduleRegistered(
        _ module: any Relux.Module.Type, in scope: Relux.Scope?, leaving _: borrowing Relux.StateReader
    ) {
        note(.moduleRegistered(module, in: scope))
    }

    func moduleShared(_ module: any Relux.Module.Type) {
        journal.add(.moduleShared(module), of: store)
    }

    func moduleReplaced(
        _ module: any Relux.Module.Type, in scope: Relux.Scope?, leaving _: borrowing Relux.StateReader
    ) {
        journal.add(.moduleReplaced(module, in: scope), of: store)
    }

    func moduleUnregistered(_ module: any Relux.Module.Type, in scope: Relux.Scope?) {
        note(.moduleUnregistered(module, in: scope))
    }

    func statesReset(_ states: [any Relux.State.Type], leaving _: borrowing Relux.StateReader) {
        note(.statesReset(states))
    }

    /// Notes a change of the states, which can't be read here because the change is in progress.
    private func note(_ change: RecordingObserver.Event) {
        journal.add(change, of: store)
        journal.noteChange(of: store)
    }
}
