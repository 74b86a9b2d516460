import Relux
import Testing

/// The events of a world, in order, and its failures.
///
/// The observers of the world's stores hold the journal, so it must not hold a store.
final class Journal: Sendable {
    /// A line of the trace.
    fileprivate struct Entry: Sendable {
        enum What {
            /// An event reported by one of the stores.
            case event(RecordingObserver.Event, store: Int)
            case note(String)
        }

        let time: Duration
        let what: What
    }

    /// A failure, and how it happened.
    struct Failure: Sendable {
        /// The kind of the failure. Two schedules fail in the same way if the kinds are equal.
        let kind: String
        fileprivate(set) var text: String
    }

    /// The number of lines that a trace may have. If there are more, the first half is dropped.
    fileprivate static let capacity = 4_000

    fileprivate struct Contents {
        var entries: [Entry] = []
        /// The number of lines that have been dropped.
        var dropped = 0
        var order = OrderHash()
        var failures: [Failure] = []
        var always: [Invariant] = []
        var finally: [Invariant] = []
        var checks: [StatedCheck] = []
        var stores = 0
        var isOver = false
        /// The stores whose states have been added, removed or reset, until they have been checked.
        var changed: Set<Int> = []
        /// The conditions that the scenario waits for.
        var eventualities: [Eventuality] = []
        /// The thread that drives the run; nil before it starts.
        var driver: UInt?
        var oversights = Oversights()
        var forbidsRefusals = false
        /// The thread that the driver is waiting for. Its events don't count as strays.
        var guest: UInt?
        /// The first event that another thread reported.
        var stray: RecordingObserver.Event?
    }

    /// The number of jobs that the driving thread has handed to other executors.
    let escapes = EscapeCounter()

    private let contents = Lock(Contents())
    private let clock: ManualClock

    init(clock: ManualClock) {
        self.clock = clock
    }

    /// The number of events so far.
    var count: Int { contents.withLock { $0.dropped + $0.entries.count } }

    /// Identifies the order of actions and runs so far.
    var order: UInt64 { contents.withLock { $0.order.value } }

    /// How the first failure happened; nil if there is none.
    var failureKind: String? { contents.withLock { $0.failures.first?.kind } }

    var hasFailed: Bool { contents.withLock { !$0.failures.isEmpty } }

    /// Whether the run is over: the scenario has ended or something has failed.
    var isOver: Bool { contents.withLock { $0.isOver || !$0.failures.isEmpty } }

    /// The failures, one paragraph each; nil if there are none.
    var failure: String? {
        let failures = contents.withLock { $0.failures }
        return failures.isEmpty ? nil : failures.map(\.text).joined(separator: "\n\n")
    }

    /// An event of a store that wasn't reported by the driving thread.
    var stray: RecordingObserver.Event? { contents.withLock { $0.stray } }

    /// Names a thread that may report events because the driving thread is waiting for it; nil at the end.
    func lend(to thread: UInt?) { contents.withLock { $0.guest = thread } }

    /// Whether the driver is waiting for a thread that may report events.
    func isLent(to thread: UInt) -> Bool { contents.withLock { $0.guest == thread } }

    /// Makes the calling thread the only one that may report events.
    func start() {
        contents.withLock { $0.driver = CurrentThread.identity }
    }

    /// Whether the scenario waits for a condition within a limit, so that time must not pass early.
    var isWaiting: Bool { contents.withLock { !$0.eventualities.isEmpty } }

    func add(_ eventuality: Eventuality) {
        contents.withLock { $0.eventualities.append(eventuality) }
    }

    func remove(_ eventuality: Eventuality) {
        contents.withLock { contents in contents.eventualities.removeAll { $0 === eventuality } }
    }

    /// Returns the number of the next store, counting from 1.
    func makeStore() -> Int {
        contents.withLock { contents in
            contents.stores += 1
            return contents.stores
        }
    }

    /// Whether a text must say which store it is about.
    var hasSeveralStores: Bool { contents.withLock { $0.stores > 1 } }

    func always(_ invariant: Invariant) {
        contents.withLock { if !$0.isOver { $0.always.append(invariant) } }
        if let check = invariant.check { add(check) }
    }

    func finally(_ invariant: Invariant) {
        contents.withLock { if !$0.isOver { $0.finally.append(invariant) } }
    }

    /// Adds a check that must have something to check in one of the runs.
    func add(_ check: StatedCheck) {
        contents.withLock { $0.checks.append(check) }
    }

    /// The checks that must have something to check in one of the runs.
    var checks: [StatedCheck] { contents.withLock { $0.checks } }

    /// Appends an event, unless the trace has ended.
    func add(_ event: RecordingObserver.Event, of store: Int) {
        let time = clock.now.offset
        let thread = CurrentThread.identity
        // Hashing an action is user code, like releasing one.
        let hash = OrderHash(of: event, of: store)
        let dropped = contents.withLock { contents -> ArraySlice<Entry> in
            guard contents.failures.isEmpty, !contents.isOver else { return [] }
            if contents.driver != thread, contents.guest != thread, contents.stray == nil { contents.stray = event }
            contents.order.add(hash)
            return contents.append(Entry(time: time, what: .event(event, store: store)))
        }
        withExtendedLifetime(dropped) {}
    }

    /// Appends a line that is not an event of a store, unless the trace has ended.
    func note(_ text: String) {
        let time = clock.now.offset
        let dropped = contents.withLock { contents -> ArraySlice<Entry> in
            guard contents.failures.isEmpty, !contents.isOver else { return [] }
            return contents.append(Entry(time: time, what: .note(text)))
        }
        withExtendedLifetime(dropped) {}
    }

    /// Records a failure.
    ///
    /// Further failures in the same job are recorded too. Those caused by tearing down a failed run are not.
    ///
    /// - Parameter kind: How it happened, without anything that differs from schedule to schedule.
    func fail(_ text: String, kind: String) {
        contents.withLock { contents in
            if !contents.isOver || contents.failures.isEmpty {
                contents.failures.append(Failure(kind: kind, text: text))
            }
        }
    }

    /// Records a failure, and ends the trace.
    ///
    /// - Parameter details: Returns the last lines of the failure. Whatever fails meanwhile is ignored.
    func fail(_ text: String, kind: String, details: () -> String) {
        fail(text, kind: kind)
        end()
        let details = details()
        contents.withLock { contents in
            guard let index = contents.failures.lastIndex(where: { $0.kind == kind }) else { return }
            contents.failures[index].text += "\n\(details)"
        }
    }

    /// Records an error that part of the scenario threw.
    ///
    /// The error of a failed `#require` adds nothing to the issue that was captured before it was thrown.
    func fail(_ part: String, threw error: any Error) {
        if innermost(error) is ExpectationFailedError, hasFailed { return }
        fail("\(part) threw: \(ErrorText.line(error))", kind: "\(part) threw \(type(of: error))")
    }

    /// Ends the trace, and releases the invariants with what their closures capture.
    func end() {
        let invariants = contents.withLock { contents in
            contents.isOver = true
            defer { (contents.always, contents.finally) = ([], []) }
            return contents.always + contents.finally
        }
        withExtendedLifetime(invariants) {}
    }

    // MARK: Oversights

    private func fail(_ oversight: Oversights.Oversight) {
        switch oversight.kind {
        case .failure(let error): fail(oversight.text, kind: "unreceived \(type(of: error))")
        case .untaken(let action): fail(oversight.text, kind: "untaken \(type(of: action))")
        case .refusedWrite: fail(oversight.text, kind: "refused write")
        case .childLeftOut: fail(oversight.text, kind: "child left out")
        case .misuse: fail(oversight.text, kind: "refusal")
        case .notLoaded: fail(oversight.text, kind: "not loaded")
        }
    }

    func expectFailure<E: Error>(_ type: E.Type, _ location: SourceLocation) {
        contents.withLock { $0.oversights.expectFailure(type, location) }
    }

    func expectRefusal(_ location: SourceLocation) {
        contents.withLock { $0.oversights.expectRefusal(location) }
    }

    func forbidRefusals() {
        contents.withLock { $0.forbidsRefusals = true }
    }

    /// Fails if nobody received an error, unless it is expected.
    func noteUnreceived(_ error: any Error, of run: Relux.RunRecord) {
        if contents.withLock({ !$0.isOver && $0.oversights.unreceived(error) }) { fail(.init(error, of: run)) }
    }

    /// Fails if nothing takes an action, and if refused writes are forbidden, unless refusals are expected.
    func noteRefused(_ refusal: Relux.Refusal) {
        let kind = contents.withLock { contents in
            contents.isOver ? nil : contents.oversights.refused(refusal, areWritesForbidden: contents.forbidsRefusals)
        }
        if let kind { fail(.init(kind, refusal)) }
    }

    /// Checks the conditions that the scenario waits for, and the `always` invariants, after an action.
    func check(_ states: borrowing Relux.StateReader, after record: Relux.ActionRecord, of store: Int) {
        checkEventualities(states)
        let (invariants, stores) = contents.withLock { contents in
            (contents.failures.isEmpty && !contents.isOver ? contents.always : [], contents.stores)
        }
        for invariant in invariants {
            let place = stores > 1 ? " of store \(store)" : ""
            let breach = invariant.breach(
                states, "after #\(record.sequence)\(place), \(ActionText.line(record.action)) (\(record.callSite))")
            if let breach { return fail(breach, kind: "invariant \(invariant.name)") }
        }
    }

    /// Checks the conditions that the scenario waits for.
    func checkEventualities(_ states: borrowing Relux.StateReader) {
        for eventuality in contents.withLock({ $0.eventualities }) { eventuality.check(states) }
    }

    /// Notes that states have been added, removed or reset. A separate job checks this.
    func noteChange(of store: Int) {
        contents.withLock { _ = $0.changed.insert(store) }
    }

    /// The stores with such changes for which no check has been started yet.
    var changed: Set<Int> { contents.withLock { $0.changed } }

    /// Notes that a check of the changes of a store has been started.
    func removeChange(of store: Int) {
        contents.withLock { _ = $0.changed.remove(store) }
    }

    /// Checks the `always` and `finally` invariants at the end.
    func checkEnd(_ states: borrowing Relux.StateReader, of store: Int) {
        let (invariants, stores) = contents.withLock { ($0.always + $0.finally, $0.stores) }
        for invariant in invariants {
            let place = stores > 1 ? ", in store \(store)" : ""
            if let breach = invariant.breach(states, "at the end\(place)") {
                fail(breach, kind: "invariant \(invariant.name)")
            }
        }
    }

    /// Returns the trace, one line per event. If it is very long, only the end is returned.
    func lines() -> [String] {
        let (entries, dropped, stores) = contents.withLock { ($0.entries, $0.dropped, $0.stores) }
        let times = entries.map { $0.time.decimalText }
        let width = times.map(\.count).max() ?? 0
        let lines = zip(entries, times).map { entry, time in
            let padding = String(repeating: " ", count: width - time.count)
            switch entry.what {
            case .event(let event, let store):
                return "\(padding)\(time)  \(stores > 1 ? "store \(store)  " : "")\(event)"
            case .note(let text):
                return "\(padding)\(time)  \(text)"
            }
        }
        return dropped > 0 ? ["… (\(dropped.counting("line")) before)"] + lines : lines
    }
}

extension Journal.Contents {
    /// - Returns: The entries that are dropped, which the caller must release outside the lock.
    fileprivate mutating func append(_ entry: Journal.Entry) -> ArraySlice<Journal.Entry> {
        defer { entries.append(entry) }
        guard entries.count >= Journal.capacity else { return [] }
        let all = entries
        entries.removeFirst(Journal.capacity / 2)
        dropped += Journal.capacity / 2
        return all.prefix(Journal.capacity / 2)
    }
}
