import Relux

/// A list of events in the order in which they happened.
final class Trace<Entry: Sendable>: Sendable {
    private let contents = Lock<[Entry]>([])

    var entries: [Entry] { contents.withLock { $0 } }

    func note(_ entry: Entry) {
        contents.withLock { $0.append(entry) }
    }
}

/// An observer that records everything as short texts.
struct TraceObserver: Relux.StoreObserver {
    let trace = Trace<String>()
    let records = Trace<Relux.ActionRecord>()
    let refusals = Trace<Relux.Refusal>()

    /// The number of registrations that have not been removed, in all scopes.
    var moduleCount: Int {
        let entries = trace.entries
        return entries.count { $0.hasPrefix("registered") } - entries.count { $0.hasPrefix("unregistered") }
    }

    func actionReduced(_ record: Relux.ActionRecord, leaving _: borrowing Relux.StateReader) {
        records.note(record)
        trace.note("\(record.sequence) \(record.action)")
    }

    func runStarted(_ run: Relux.RunRecord) { trace.note("start \(run.id)") }

    func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
        trace.note("end \(run.id) \(outcome)")
    }

    func refused(_ refusal: Relux.Refusal) {
        refusals.note(refusal)
        trace.note("refused")
    }

    func moduleRegistered(
        _ module: any Relux.Module.Type, in scope: Relux.Scope?, leaving _: borrowing Relux.StateReader
    ) {
        trace.note("registered \(module)")
    }

    func moduleShared(_ module: any Relux.Module.Type) { trace.note("shared \(module)") }

    func moduleUnregistered(_ module: any Relux.Module.Type, in scope: Relux.Scope?) {
        trace.note("unregistered \(module)")
    }

    func statesReset(_ states: [any Relux.State.Type], leaving _: borrowing Relux.StateReader) {
        trace.note("reset \(states)")
    }
}
