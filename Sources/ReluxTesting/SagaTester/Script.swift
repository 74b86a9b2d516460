import Relux

/// The answers to the effects of one type, and those that wait for theirs.
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

    /// Ends the first that waits.
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
                    // The flag is set before the handler below runs, and read under the same lock. So a handler that
                    // came too early to find this wait has left the flag for it to see.
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

/// Answers the effects of one type as its script says.
struct ScriptedFlow<E: Relux.Effect>: Relux.Flow {
    let script: Script<E>

    func run(_ trigger: E, in context: Relux.SagaContext) async throws -> E.Output {
        try await script.output(for: trigger)
    }
}

/// Brings a script into the store of a tester.
struct ScriptModule<E: Relux.Effect>: Relux.Module {
    let script: Script<E>

    var flows: [any Relux.Flow] { [ScriptedFlow(script: script)] }
}
