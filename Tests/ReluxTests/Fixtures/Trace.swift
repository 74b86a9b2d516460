import Relux

/// A list of events in the order in which they happened.
final class Trace<Entry: Sendable>: Sendable {
    private struct Contents {
        var entries: [Entry] = []
        var waiting: [(isOver: @Sendable ([Entry]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let contents = Lock(Contents())

    var entries: [Entry] { contents.withLock { $0.entries } }

    func note(_ entry: Entry) {
        let resumed = contents.withLock { contents in
            contents.entries.append(entry)
            let entries = contents.entries
            defer { contents.waiting.removeAll { $0.isOver(entries) } }
            return contents.waiting.filter { $0.isOver(entries) }.map(\.continuation)
        }
        for one in resumed { one.resume() }
    }

    /// Waits until the entries satisfy a condition.
    func entries(satisfy condition: @escaping @Sendable ([Entry]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isOver = contents.withLock { contents in
                let isOver = condition(contents.entries)
                if !isOver { contents.waiting.append((condition, continuation)) }
                return isOver
            }
            if isOver { continuation.resume() }
        }
    }

    /// Waits until there are at least `count` entries, and returns all.
    @discardableResult
    func entries(atLeast count: Int) async -> [Entry] {
        await entries(satisfy: { $0.count >= count })
        return entries
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

extension AsyncSequence where Failure == Never {
    /// All elements until the end.
    nonisolated(nonsending) func elements() async -> [Element] {
        var elements: [Element] = []
        for await element in self { elements.append(element) }
        return elements
    }
}
