import Relux

/// What happens in a world, in order, and what fails in it.
///
/// The observers of its stores hold it, so it holds no store.
final class Journal: Sendable {
    /// A step of one of the stores.
    struct Entry: Sendable {
        let store: Int
        let time: Duration
        let event: RecordingObserver.Event
    }

    /// Something that has to hold in every store.
    struct Invariant: Sendable {
        let name: String
        let holds: @Sendable (borrowing Relux.StateReader) throws -> Bool

        /// Says how it is broken, or nil.
        func breach(_ states: borrowing Relux.StateReader, _ when: @autoclosure () -> String) -> String? {
            do {
                return try holds(states) ? nil : "“\(name)” doesn't hold \(when())."
            } catch {
                return "“\(name)” can't be checked \(when()): \(ErrorText.line(error))"
            }
        }
    }

    private struct Contents {
        var entries: [Entry] = []
        var failures: [String] = []
        var always: [Invariant] = []
        var finally: [Invariant] = []
        var stores = 0
        var isOver = false
    }

    private let contents = Lock(Contents())
    private let clock: ManualClock

    init(clock: ManualClock) {
        self.clock = clock
    }

    /// How much has happened.
    var count: Int { contents.withLock { $0.entries.count } }

    var hasFailed: Bool { contents.withLock { !$0.failures.isEmpty } }

    /// Whether nothing more is to happen: the scenario has ended, or something has failed.
    var isOver: Bool { contents.withLock { $0.isOver || !$0.failures.isEmpty } }

    /// What failed, a paragraph each; nil if nothing did.
    var failure: String? {
        let failures = contents.withLock { $0.failures }
        return failures.isEmpty ? nil : failures.joined(separator: "\n\n")
    }

    /// The number of the next store, from 1.
    func makeStore() -> Int {
        contents.withLock { contents in
            contents.stores += 1
            return contents.stores
        }
    }

    func always(_ invariant: Invariant) {
        contents.withLock { $0.always.append(invariant) }
    }

    func finally(_ invariant: Invariant) {
        contents.withLock { $0.finally.append(invariant) }
    }

    /// Writes something down, unless the end of the trace has been reached.
    func add(_ event: RecordingObserver.Event, of store: Int) {
        let time = clock.now.offset
        contents.withLock { contents in
            guard contents.failures.isEmpty, !contents.isOver else { return }
            contents.entries.append(Entry(store: store, time: time, event: event))
        }
    }

    /// Notes a failure. What fails after it in the same job is noted too; what the end of a failed run breaks isn't.
    func fail(_ text: String) {
        contents.withLock { contents in
            if !contents.isOver || contents.failures.isEmpty { contents.failures.append(text) }
        }
    }

    /// Ends the trace. The closures that belong to the scenario are let go.
    func end() {
        contents.withLock { contents in
            contents.isOver = true
            contents.always = []
            contents.finally = []
        }
    }

    /// Checks what always has to hold, after an action.
    func check(_ states: borrowing Relux.StateReader, after record: Relux.ActionRecord, of store: Int) {
        let (invariants, stores) = contents.withLock { contents in
            (contents.failures.isEmpty && !contents.isOver ? contents.always : [], contents.stores)
        }
        for invariant in invariants {
            let place = stores > 1 ? " of store \(store)" : ""
            let breach = invariant.breach(
                states, "after #\(record.sequence)\(place), \(ActionText.line(record.action)) (\(record.callSite))")
            if let breach { return fail(breach) }
        }
    }

    /// Checks what has to hold at the end.
    func checkEnd(_ states: borrowing Relux.StateReader, of store: Int) {
        let (invariants, stores) = contents.withLock { ($0.always + $0.finally, $0.stores) }
        for invariant in invariants {
            let place = stores > 1 ? ", in store \(store)" : ""
            if let breach = invariant.breach(states, "at the end\(place)") { fail(breach) }
        }
    }

    /// The trace as lines.
    func lines() -> [String] {
        let (entries, stores) = contents.withLock { ($0.entries, $0.stores) }
        let times = entries.map { "\($0.time)" }
        let width = times.map(\.count).max() ?? 0
        return zip(entries, times).map { entry, time in
            let padding = String(repeating: " ", count: width - time.count)
            let store = stores > 1 ? "store \(entry.store)  " : ""
            return "\(padding)\(time)  \(store)\(entry.event)"
        }
    }
}
