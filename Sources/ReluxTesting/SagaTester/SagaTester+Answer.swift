import Relux
import Testing

extension SagaTester {
    /// Scripts the answers to effects of one type that the saga performs.
    ///
    /// A later script replaces an earlier one for the same type.
    ///
    /// - Parameter answer: Returns the answer to each performed effect.
    /// - Throws: A `StoreError` if the tested flow itself answers effects of this type.
    public func answer<E: Relux.Effect>(
        _ effect: E.Type, _ answer: @escaping @Sendable (E) -> SagaAnswer<E.Output>
    ) async throws {
        if let script = script(of: effect) { return script.say(answer) }

        let script = Script(answer)
        try await executor.value { [store] in try await store.register(ScriptModule(script: script)) }
        scripts.change { $0[ObjectIdentifier(effect)] = script }
    }

    /// Answers the effect of one type that was suspended first, and runs the saga as far as it can go.
    ///
    /// If no such effect is suspended, that is recorded as an issue.
    ///
    /// - Parameter answer: The answer. `suspended` leaves the effect suspended.
    public func resume<E: Relux.Effect>(
        _ effect: E.Type, with answer: SagaAnswer<E.Output>, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        guard script(of: effect)?.resume(with: answer) == true else {
            Issue.record("No \(TypeName.short(effect)) is suspended.", sourceLocation: sourceLocation)
            return
        }
        await executor.rest()
        expectScripts(sourceLocation)
    }

    private func script<E: Relux.Effect>(of effect: E.Type) -> Script<E>? {
        scripts.value[ObjectIdentifier(effect)] as? Script<E>
    }

    /// Records an issue for each performed effect that has no script.
    func expectScripts(_ location: SourceLocation) {
        let known = scripts.value
        for effect in notebook.takePerformed() where known[ObjectIdentifier(type(of: effect))] == nil {
            let name = TypeName.short(type(of: effect))
            Issue.record(
                """
                The saga performed \(ActionText.line(effect)), which has no answer. Give one before: \
                `answer(\(name).self) { … }`.
                """,
                sourceLocation: location
            )
        }
    }
}

/// The answer to an effect that a tested saga performs.
public enum SagaAnswer<Output: Sendable>: Sendable {
    /// The effect ends with a value.
    case value(Output)
    /// The effect ends with an error.
    case failure(any Error)
    /// The effect is superseded by a newer trigger.
    case superseded
    /// The effect is dropped, because its policy doesn't let it start.
    case dropped
    /// The effect is cancelled.
    case cancelled
    /// The effect continues until ``SagaTester/resume(_:with:sourceLocation:)`` ends it or the saga is cancelled.
    case suspended

    /// The result with which the effect ends; nil if it is suspended.
    var result: Result<Output, any Error>? {
        switch self {
        case .value(let output): .success(output)
        case .failure(let error): .failure(error)
        case .superseded: .failure(Relux.EffectError.superseded)
        case .dropped: .failure(Relux.EffectError.dropped)
        case .cancelled: .failure(Relux.EffectError.cancelled)
        case .suspended: nil
        }
    }
}
