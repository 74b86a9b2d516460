import Relux
import Testing

/// Records what the tested saga does.
final class SagaNotebook: Relux.StoreObserver {
    /// An error of a run of the tested saga that nobody has received.
    private struct Unread {
        let run: Relux.RunRecord
        let oversight: Oversights.Oversight
    }

    private struct Contents {
        var steps: [SagaStep] = []
        var outcome: (run: Relux.RunRecord, value: Relux.RunOutcome)?
        var output: (any Sendable)?
        var unchecked: [any Relux.Action] = []
        var oversights = Oversights()
        var overlooked: [Oversights.Oversight] = []
        var unread: [Unread] = []
        /// Whether the saga did the last action, and not the test.
        var isOwnAction = false
    }

    private let contents = Lock(Contents())
    /// The type of the tested saga or flow.
    private let tested: Any.Type

    init(of tested: Any.Type) {
        self.tested = tested
    }

    var steps: [SagaStep] { contents.withLock { $0.steps } }
    var output: (any Sendable)? { contents.withLock { $0.output } }

    /// Returns how the last run ended. Its error counts as received.
    func readOutcome() -> Relux.RunOutcome? {
        contents.withLock { contents in
            guard let outcome = contents.outcome else { return nil }
            contents.unread.removeAll { $0.run == outcome.run }
            return outcome.value
        }
    }

    /// Returns the effects that the saga has awaited since the previous call.
    func takePerformed() -> [any Relux.Action] {
        contents.withLock { contents in
            defer { contents.unchecked = [] }
            return contents.unchecked
        }
    }

    func returned(_ output: any Sendable) {
        contents.withLock { $0.output = output }
    }

    func slept(_ duration: Duration) {
        contents.withLock { $0.steps.append(.slept(duration)) }
    }

    // MARK: Oversights

    func expectFailure<E: Error>(_ type: E.Type, _ location: SourceLocation) {
        contents.withLock { $0.oversights.expectFailure(type, location) }
    }

    func expectRefusal(_ location: SourceLocation) {
        contents.withLock { $0.oversights.expectRefusal(location) }
    }

    /// Removes and returns the refusals that the test has overlooked.
    func takeOverlooked() -> [Oversights.Oversight] {
        contents.withLock { contents in
            defer { contents.overlooked = [] }
            return contents.overlooked
        }
    }

    /// The errors that the test has not received.
    var unreadErrors: [String] { contents.withLock { $0.unread.map(\.oversight.text) } }

    /// The expectations of failures and refusals that nothing has met.
    var unmetExpectations: [(call: String, location: SourceLocation)] { contents.withLock { $0.oversights.unmet } }

    // MARK: Store callbacks

    func actionReduced(_ record: Relux.ActionRecord) {
        contents.withLock { contents in
            contents.isOwnAction = record.cause != nil
            // An action without a cause is a trigger or a delivery, which the test dispatches.
            guard contents.isOwnAction else { return }
            if record.isPerformed || (record.isAwaited && record.action is any Relux.Effect) {
                contents.steps.append(.performed(record.action))
                contents.unchecked.append(record.action)
            } else {
                contents.steps.append(.dispatched(record.action))
            }
        }
    }

    func refused(_ refusal: Relux.Refusal) {
        contents.withLock { contents in
            guard let oversight = contents.oversights.refused(refusal) else { return }
            // The saga may listen to an effect that another saga of the app takes.
            if case .effectNotTaken = refusal.reason, !contents.isOwnAction { return }
            contents.overlooked.append(oversight)
        }
    }

    func failureUnreceived(of run: Relux.RunRecord, _ error: any Error) {
        // A scripted failure of an effect that was only dispatched is the test's own.
        guard run.saga == tested else { return }
        let name = "\(TypeName.short(tested)) #\(run.id)"
        contents.withLock { contents in
            if let oversight = contents.oversights.unreceived(error, of: name) {
                contents.unread.append(Unread(run: run, oversight: oversight))
            }
        }
    }

    func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
        contents.withLock { contents in
            contents.oversights.ended(outcome)
            if run.kind != .timeout, run.saga == tested { contents.outcome = (run, outcome) }
        }
    }
}
