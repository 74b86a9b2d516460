import Relux

/// The answers to the actions of one type, and those that are suspended.
final class Script<Trigger: Relux.Action, Output: Sendable>: Sendable {
    private struct Waiting {
        let id: UInt64
        let continuation: CheckedContinuation<Output, any Error>
    }

    private struct Contents {
        var answer: @Sendable (Trigger) -> SagaAnswer<Output>
        var waiting: [Waiting] = []
        var lastID: UInt64 = 0
    }

    private let contents: Lock<Contents>

    init(_ answer: @escaping @Sendable (Trigger) -> SagaAnswer<Output>) {
        contents = Lock(Contents(answer: answer))
    }

    func say(_ answer: @escaping @Sendable (Trigger) -> SagaAnswer<Output>) {
        var answer = answer
        // The former answer is released outside the lock.
        contents.withLock { swap(&$0.answer, &answer) }
    }

    /// Ends the effect that was suspended first.
    ///
    /// - Returns: Whether there is one.
    func resume(with answer: SagaAnswer<Output>) -> Bool {
        guard let result = answer.result else { return contents.withLock { !$0.waiting.isEmpty } }
        let waiting = contents.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        waiting?.continuation.resume(with: result)
        return waiting != nil
    }

    func output(for trigger: Trigger) async throws -> Output {
        let answer = contents.withLock { $0.answer }(trigger)
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
    let script: Script<E, E.Output>

    func run(_ trigger: E, in context: Relux.SagaContext) async throws -> E.Output {
        try await script.output(for: trigger)
    }
}

/// Answers the actions of one type, which promise no value, according to its script.
struct ScriptedSaga<A: Relux.Action>: Relux.Saga {
    let script: Script<A, Void>

    func run(_ trigger: A, in context: Relux.SagaContext) async throws {
        try await script.output(for: trigger)
    }
}

/// The module that adds the script of an effect to a tester's store.
struct ScriptModule<E: Relux.Effect>: Relux.Module {
    let script: Script<E, E.Output>

    var flows: [any Relux.Flow] { [ScriptedFlow(script: script)] }
}

/// The module that adds the script of an action to a tester's store.
struct ActionScriptModule<A: Relux.Action>: Relux.Module {
    let script: Script<A, Void>

    var sagas: [any Relux.Saga] { [ScriptedSaga(script: script)] }
}
