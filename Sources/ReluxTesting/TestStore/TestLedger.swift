import Relux
import Testing

/// The steps of a store that its test has not yet received, and the events that the test must not overlook.
final class TestLedger: Relux.StoreObserver {
    /// An action, with the states as it left them.
    struct Step: Sendable {
        let record: Relux.ActionRecord
        let after: StateSnapshot
        /// The states of all modules that had been registered by then, with their first values.
        let added: StateSnapshot

        /// The step on one line, such as `#2 Notes.State.Action.loaded([]) from Notes.Saga #1`.
        var description: String { RecordingObserver.Event.actionReduced(record).description }
    }

    private struct Contents {
        /// The states as the test knows them.
        var known = StateSnapshot()
        /// The states of all modules that were registered, with their first values.
        var added = StateSnapshot()
        /// The states as the last action left them; nil if something else may have changed them since.
        var latest: StateSnapshot?
        /// The steps since, in order.
        var steps: [Step] = []
        var oversights = Oversights()
        /// The events that the test has overlooked so far, in order.
        var overlooked: [Overlooked] = []
        /// Whether the test has made a step, so that expectations no longer cover what the registration has led to.
        var hasBegun = false
        /// The number of the last action.
        var lastSequence: UInt64 = 0
        /// The numbers of the actions that nothing has taken.
        var untaken: Set<UInt64> = []
        /// The effects that the test has performed itself and whose results it has not asked for.
        var performances: [Performance] = []
        var lastPerformance = 0
        var isFinished = false
        /// The runs that may go on after the end of the test.
        var skippedRuns: Set<Relux.RunRecord> = []
    }

    /// Something that the test has overlooked.
    private struct Overlooked {
        let text: String
        let kind: Oversights.Oversight.Kind
        /// The number of the action that nothing has taken, if it is about one.
        var action: UInt64?
    }

    /// An effect that the test has performed.
    struct Performance: Sendable {
        let id: Int
        /// The error with which it ended, if it did.
        let error: @Sendable () -> Relux.EffectError?
        let text: String
        /// Why the scope was the wrong one; nil if an instance doesn't take the effect either.
        let misdirection: String?
    }

    private let contents = Lock(Contents())

    /// The states as the test knows them.
    var known: StateSnapshot { contents.withLock { $0.known } }

    /// The states of all modules that were registered, with their first values.
    var added: StateSnapshot { contents.withLock { $0.added } }

    /// The present states, if they are as the last action left them.
    var latest: StateSnapshot? { contents.withLock { $0.latest } }

    /// The steps since, in order.
    var steps: [Step] { contents.withLock { $0.steps } }

    /// Sets the states that the test now knows.
    func know(_ states: StateSnapshot) {
        var states = states
        contents.withLock { contents in
            swap(&contents.known, &states)
            contents.hasBegun = true
        }
    }

    /// Sets the present states; nil if they are not known.
    private func setLatest(_ states: StateSnapshot?) {
        var states = states
        contents.withLock { swap(&$0.latest, &states) }
    }

    // MARK: Steps

    /// Removes and returns the steps up to and including the first that matches; none if none matches.
    func takeThrough(_ isWanted: (Step) -> Bool) -> [Step] {
        let all = steps
        guard let index = all.firstIndex(where: isWanted) else { return [] }
        contents.withLock { $0.steps.removeFirst(index + 1) }
        return Array(all[...index])
    }

    /// Removes and returns the first step that matches, out of order: a step that the test itself caused.
    func take(_ isWanted: (Step) -> Bool) -> Step? {
        guard let index = steps.firstIndex(where: isWanted) else { return nil }
        return contents.withLock { $0.steps.remove(at: index) }
    }

    /// Removes and returns the next step.
    func takeFirst() -> Step? {
        contents.withLock { $0.steps.isEmpty ? nil : $0.steps.removeFirst() }
    }

    func takeAll() -> [Step] {
        contents.withLock { contents in
            defer { contents.steps = [] }
            return contents.steps
        }
    }

    /// Whether the test has made its last step.
    var isFinished: Bool { contents.withLock { $0.isFinished } }

    func finish() {
        contents.withLock { $0.isFinished = true }
    }

    func skip(_ runs: [Relux.RunRecord]) {
        contents.withLock { $0.skippedRuns.formUnion(runs) }
    }

    func isSkipped(_ run: Relux.RunRecord) -> Bool { contents.withLock { $0.skippedRuns.contains(run) } }

    // MARK: Oversights

    func expectFailure<E: Error>(_ type: E.Type, _ location: SourceLocation) {
        expect { $0.expectFailure(type, location) }
    }

    func expectRefusal(_ location: SourceLocation) {
        expect { $0.expectRefusal(location) }
    }

    /// States an expectation. Before the first step, it also covers what the registration has led to.
    private func expect(_ state: (inout Oversights) -> Void) {
        // The covered ones, with their errors and actions, are released outside the lock.
        let covered = contents.withLock { contents -> [Overlooked] in
            state(&contents.oversights)
            guard !contents.hasBegun else { return [] }
            let covered = contents.overlooked.map { contents.oversights.cover($0.kind) }
            defer { contents.overlooked = zip(contents.overlooked, covered).filter { !$1 }.map(\.0) }
            return contents.overlooked
        }
        withExtendedLifetime(covered) {}
    }

    /// Whether the test has stated that it expects refusals.
    var expectsRefusal: Bool { contents.withLock { $0.oversights.expectsRefusal } }

    /// Adds an effect that the test has performed.
    ///
    /// - Parameters:
    ///   - text: What was performed, and where.
    ///   - misdirection: Why the scope was the wrong one, if it was.
    ///   - error: Returns the error with which it has ended; nil if it hasn't, or without an error.
    /// - Returns: The number of the performance.
    func add(
        _ text: String, misdirection: String?, _ error: @escaping @Sendable () -> Relux.EffectError?
    ) -> Int {
        contents.withLock { contents in
            contents.lastPerformance += 1
            contents.performances.append(
                Performance(id: contents.lastPerformance, error: error, text: text, misdirection: misdirection))
            return contents.lastPerformance
        }
    }

    /// The test has asked for the result of an effect that it performed.
    func receive(performance id: Int) {
        _ = remove(performance: id)
    }

    /// - Returns: The performance, which must be released outside the lock.
    private func remove(performance id: Int) -> Performance? {
        contents.withLock { contents in
            contents.performances.firstIndex { $0.id == id }.map { contents.performances.remove(at: $0) }
        }
    }

    /// Removes and returns what the test has overlooked, one line each.
    func takeOverlooked() -> [String] {
        for performance in contents.withLock({ $0.performances }) {
            guard let error = performance.error(), error.isFailure else { continue }
            _ = remove(performance: performance.id)
            let isOversight = contents.withLock { contents in
                !(error.isRefusal && contents.oversights.expectsRefusal)
                    && contents.oversights.unreceived(error.unwrapped)
            }
            guard isOversight else { continue }
            let misdirection = performance.misdirection.map { " \($0)" } ?? ""
            overlook(Oversights.Oversight(error.unwrapped, of: performance.text), misdirection)
        }
        let overlooked = contents.withLock { contents in
            defer { contents.overlooked = [] }
            return contents.overlooked
        }
        return overlooked.map(\.text)
    }

    private func overlook(_ oversight: Oversights.Oversight, _ addition: String = "", action: UInt64? = nil) {
        let overlooked = Overlooked(text: oversight.text + addition, kind: oversight.kind, action: action)
        contents.withLock { $0.overlooked.append(overlooked) }
    }

    /// Whether nothing has taken an action.
    func isUntaken(_ action: UInt64) -> Bool { contents.withLock { $0.untaken.contains(action) } }

    /// Receives the refusal of an action that nothing has taken.
    ///
    /// - Returns: Whether the test would otherwise have overlooked it.
    func receive(refusalOf action: UInt64) -> Bool {
        let received = contents.withLock { contents in
            contents.overlooked.firstIndex { $0.action == action }.map { contents.overlooked.remove(at: $0) }
        }
        return received != nil
    }

    /// The expectations of failures and refusals that nothing has met.
    var unmetExpectations: [(call: String, location: SourceLocation)] { contents.withLock { $0.oversights.unmet } }

    // MARK: Store callbacks

    func actionReduced(_ record: Relux.ActionRecord, leaving states: borrowing Relux.StateReader) {
        let step = Step(record: record, after: StateSnapshot(states), added: added)
        setLatest(step.after)
        contents.withLock { contents in
            contents.lastSequence = record.sequence
            contents.steps.append(step)
        }
    }

    // The watchers of a module may dispatch as soon as it is registered, so its first values are read here.
    func moduleRegistered(
        _ module: any Relux.Module.Type, in scope: Relux.Scope?, leaving states: borrowing Relux.StateReader
    ) {
        let added = states.module(module, in: scope)?.states ?? []
        setLatest(nil)
        // The former values are released outside the lock.
        let former = contents.withLock { contents in added.compactMap { contents.added.set($0, in: scope) } }
        withExtendedLifetime(former) {}
    }

    func moduleUnregistered(_ module: any Relux.Module.Type, in scope: Relux.Scope?) {
        setLatest(nil)
    }

    func statesReset(_ states: [any Relux.State.Type], leaving _: borrowing Relux.StateReader) {
        setLatest(nil)
    }

    func refused(_ refusal: Relux.Refusal) {
        let (kind, action) = contents.withLock { contents -> (Oversights.Oversight.Kind?, UInt64?) in
            var action: UInt64?
            switch refusal.reason {
            case .actionNotTaken, .effectNotTaken:
                // The store reports an action directly before it reports that nothing takes it.
                action = contents.lastSequence
                contents.untaken.insert(contents.lastSequence)
            default: break
            }
            return (contents.oversights.refused(refusal), action)
        }
        if let kind { overlook(Oversights.Oversight(kind, refusal), action: action) }
    }

    func failureUnreceived(of run: Relux.RunRecord, _ error: any Error) {
        guard contents.withLock({ $0.oversights.unreceived(error) }) else { return }
        overlook(Oversights.Oversight(error, of: run))
    }

    func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
        contents.withLock { $0.oversights.ended(outcome) }
    }
}

extension Relux.EffectError {
    /// Whether this is an error, and not merely an outcome such as a cancellation.
    fileprivate var isFailure: Bool {
        switch self {
        case .superseded, .dropped, .cancelled, .storeShutDown: false
        default: true
        }
    }

    /// Whether nothing takes the effect, or its instance doesn't exist.
    fileprivate var isRefusal: Bool {
        switch self {
        case .unhandled, .noInstance: true
        default: false
        }
    }

    /// The error of the flow or saga, if that is what this case wraps.
    fileprivate var unwrapped: any Error { if case .failed(let error) = self { error } else { self } }
}
