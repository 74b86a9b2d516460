import Relux

/// What a store has done that its test has not yet received.
final class TestLedger: StateObserver, Relux.Middleware {
    /// An action, with the states as it left them.
    struct Step: Sendable {
        let record: Relux.ActionRecord
        let after: StateSnapshot

        /// The step on one line, such as `#2 Notes.State.Action.loaded([]) from Notes.Saga #1`.
        var description: String { RecordingObserver.Event.actionReduced(record).description }
    }

    private struct Contents {
        /// The states as the test knows them; nil before the first action.
        var known: StateSnapshot?
        /// What has happened since, in order.
        var steps: [Step] = []
    }

    private let contents = Lock(Contents())

    /// The states as the test knows them.
    var known: StateSnapshot { contents.withLock { $0.known ?? StateSnapshot() } }

    /// What has happened since, in order.
    var steps: [Step] { contents.withLock { $0.steps } }

    /// Sets the initial states, unless an action has already set them.
    func open(with states: StateSnapshot) {
        contents.withLock { $0.known = $0.known ?? states }
    }

    /// Sets the states that the test now knows.
    func know(_ states: StateSnapshot) {
        contents.withLock { $0.known = states }
    }

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

    // MARK: Store callbacks

    func intercept(_ action: any Relux.Action, _ reader: borrowing Relux.StateReader) -> Relux.Interception {
        if contents.withLock({ $0.known == nil }) { open(with: StateSnapshot(reader)) }
        return .proceed
    }

    func actionReduced(_ record: Relux.ActionRecord, leaving states: borrowing Relux.StateReader) {
        let step = Step(record: record, after: StateSnapshot(states))
        contents.withLock { $0.steps.append(step) }
    }
}
