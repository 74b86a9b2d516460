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

    /// Returns how the last run ended. The error with which it has ended counts as received, unlike one that its body
    /// throws after it has finished.
    func readOutcome() -> Relux.RunOutcome? {
        let (outcome, unread) = contents.withLock { contents in
            defer {
                if let (run, value) = contents.outcome, case .failed = value {
                    contents.unread.removeAll { $0.run == run }
                }
            }
            return (contents.outcome, contents.unread)
        }
        // Unread values are released here, outside the lock.
        return withExtendedLifetime(unread) { outcome?.value }
    }

    /// Returns the effects that the saga has awaited since the previous call.
    func takePerformed() -> [any Relux.Action] {
        contents.withLock { contents in
            defer { contents.unchecked = [] }
            return contents.unchecked
        }
    }

    func returned(_ output: any Sendable) {
        var output: (any Sendable)? = output
        contents.withLock { swap(&$0.output, &output) }
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

    func actionReduced(_ record: Relux.ActionRecord, leaving _: borrowing Relux.StateReader) {
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
        let kind = contents.withLock { contents -> Oversights.Oversight.Kind? in
            let kind = contents.oversights.refused(refusal)
            // The saga may listen to an effect that another saga of the app takes.
            if case .effectNotTaken = refusal.reason, !contents.isOwnAction { return nil }
            return kind
        }
        guard let kind else { return }
        let oversight = Oversights.Oversight(kind, refusal)
        contents.withLock { $0.overlooked.append(oversight) }
    }

    func failureUnreceived(of run: Relux.RunRecord, _ error: any Error) {
        // A scripted failure of an effect that was only dispatched is the test's own.
        guard run.saga == tested else { return }
        guard contents.withLock({ $0.oversights.unreceived(error) }) else { return }
        let oversight = Oversights.Oversight(error, of: "\(TypeName.short(tested)) #\(run.id)")
        contents.withLock { $0.unread.append(Unread(run: run, oversight: oversight)) }
    }

    func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
        var last: (run: Relux.RunRecord, value: Relux.RunOutcome)? = (run, outcome)
        contents.withLock { contents in
            contents.oversights.ended(outcome)
            if run.kind != .timeout, run.saga == tested { swap(&contents.outcome, &last) }
        }
    }
}
