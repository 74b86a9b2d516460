import Relux

/// The answers to the effects of one type, and the effects that are suspended.
final class Script<E: Relux.Effect>: Sendable {
    private struct Waiting {
        let id: UInt64
        let continuation: CheckedContinuation<E.Output, any Error>
    }

    private struct Contents {
        var answer: @Sendable (E) -> SagaAnswer<E.Output>
        var waiting: [Waiting] = []
        var lastID: UInt64 = 0
    }

    private let contents: Lock<Contents>

    init(_ answer: @escaping @Sendable (E) -> SagaAnswer<E.Output>) {
        contents = Lock(Contents(answer: answer))
    }

    func say(_ answer: @escaping @Sendable (E) -> SagaAnswer<E.Output>) {
        contents.withLock { $0.answer = answer }
    }

    /// Ends the effect that was suspended first.
    ///
    /// - Returns: Whether there is one.
    func resume(with answer: SagaAnswer<E.Output>) -> Bool {
        guard let result = answer.result else { return contents.withLock { !$0.waiting.isEmpty } }
        let waiting = contents.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        waiting?.continuation.resume(with: result)
        return waiting != nil
    }

    func output(for effect: E) async throws -> E.Output {
        let answer = contents.withLock { $0.answer }(effect)
        if let result = answer.result { return try result.get() }

        let id = contents.withLock { contents in
            contents.lastID += 1
            return contents.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = contents.withLock { contents in
                    // The cancellation flag is set before the handler below runs, and it is read under the lock that
                    // the handler takes. A handler that runs too early to find this wait has therefore left the flag
                    // set.
                    if Task.isCancelled { return true }
                    contents.waiting.append(Waiting(id: id, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let given = contents.withLock { contents in
                contents.waiting.firstIndex { $0.id == id }.map { contents.waiting.remove(at: $0) }
            }
            given?.continuation.resume(throwing: CancellationError())
        }
    }
}

/// Answers the effects of one type according to its script.
struct ScriptedFlow<E: Relux.Effect>: Relux.Flow {
    let script: Script<E>

    func run(_ trigger: E, in context: Relux.SagaContext) async throws -> E.Output {
        try await script.output(for: trigger)
    }
}

/// The module that adds a script to a tester's store.
struct ScriptModule<E: Relux.Effect>: Relux.Module {
    let script: Script<E>

    var flows: [any Relux.Flow] { [ScriptedFlow(script: script)] }
}
