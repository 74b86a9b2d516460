import Relux

/// Records what the tested saga does.
final class SagaNotebook: Relux.StoreObserver {
    private struct Contents {
        var steps: [SagaStep] = []
        var outcome: Relux.RunOutcome?
        var output: (any Sendable)?
        var unchecked: [any Relux.Action] = []
    }

    private let contents = Lock(Contents())

    var steps: [SagaStep] { contents.withLock { $0.steps } }
    var outcome: Relux.RunOutcome? { contents.withLock { $0.outcome } }
    var output: (any Sendable)? { contents.withLock { $0.output } }

    /// Returns the effects performed since the previous call.
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

    // MARK: Store callbacks

    func actionReduced(_ record: Relux.ActionRecord) {
        // An action without a cause is the trigger, which the test dispatches.
        guard record.cause != nil else { return }
        contents.withLock { contents in
            if record.isPerformed {
                contents.steps.append(.performed(record.action))
                contents.unchecked.append(record.action)
            } else {
                contents.steps.append(.dispatched(record.action))
            }
        }
    }

    func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
        guard run.kind != .timeout, run.saga is any LoneWork.Type else { return }
        contents.withLock { $0.outcome = outcome }
    }
}
