import Relux

/// Writes down what a lone saga does.
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

    /// The effects that were performed since the last look.
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

    // MARK: What the store reports

    func actionReduced(_ record: Relux.ActionRecord) {
        // What has no cause is the trigger: the test dispatches it.
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
