import Relux

/// What a store has done and its test has not yet been told: the books of a test store.
final class TestLedger: StateObserver, Relux.Middleware {
    /// An action, with the states that it left.
    struct Step: Sendable {
        let record: Relux.ActionRecord
        let after: StateSnapshot

        /// `#2 Notes.State.Action.loaded([]) from Notes.Saga #1`.
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

    /// Notes the first states, unless an action came before.
    func open(with states: StateSnapshot) {
        contents.withLock { $0.known = $0.known ?? states }
    }

    /// Notes what the test knows now.
    func know(_ states: StateSnapshot) {
        contents.withLock { $0.known = states }
    }

    /// Takes the steps up to the first that is wanted, which comes last; none if there is none.
    func takeThrough(_ isWanted: (Step) -> Bool) -> [Step] {
        let all = steps
        guard let index = all.firstIndex(where: isWanted) else { return [] }
        contents.withLock { $0.steps.removeFirst(index + 1) }
        return Array(all[...index])
    }

    /// Takes a step out of its order: one that the test made itself.
    func take(_ isWanted: (Step) -> Bool) -> Step? {
        guard let index = steps.firstIndex(where: isWanted) else { return nil }
        return contents.withLock { $0.steps.remove(at: index) }
    }

    /// Takes the next step.
    func takeFirst() -> Step? {
        contents.withLock { $0.steps.isEmpty ? nil : $0.steps.removeFirst() }
    }

    func takeAll() -> [Step] {
        contents.withLock { contents in
            defer { contents.steps = [] }
            return contents.steps
        }
    }

    // MARK: What the store reports

    func intercept(_ action: any Relux.Action, _ reader: borrowing Relux.StateReader) -> Relux.Interception {
        if contents.withLock({ $0.known == nil }) { open(with: StateSnapshot(reader)) }
        return .proceed
    }

    func actionReduced(_ record: Relux.ActionRecord, leaving states: borrowing Relux.StateReader) {
        let step = Step(record: record, after: StateSnapshot(states))
        contents.withLock { $0.steps.append(step) }
    }
}
