import Relux
import Testing

extension SagaTester {
    /// Says how the effects of a type are answered that the saga performs.
    ///
    /// The last word on a type counts.
    ///
    /// - Parameters:
    ///   - effect: The type of effect.
    ///   - answer: Decides for each that is performed.
    /// - Throws: A `StoreError` where the tested flow answers this very effect itself.
    public func answer<E: Relux.Effect>(
        _ effect: E.Type, _ answer: @escaping @Sendable (E) -> SagaAnswer<E.Output>
    ) async throws {
        if let script = script(of: effect) { return script.say(answer) }

        let script = Script(answer)
        try await executor.value { [store] in try await store.register(ScriptModule(script: script)) }
        scripts.change { $0[ObjectIdentifier(effect)] = script }
    }

    /// Answers the first effect of a type that was suspended, and lets the saga go as far as it can.
    ///
    /// - Parameters:
    ///   - effect: The type of effect.
    ///   - answer: The answer. `suspended` leaves it as it is.
    ///   - sourceLocation: Where it is recorded that no such effect is suspended.
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

    /// Expects a script for everything that was performed.
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

/// How an effect is answered that a tested saga performs.
public enum SagaAnswer<Output: Sendable>: Sendable {
    /// It ends with a value.
    case value(Output)
    /// It ends with an error.
    case failure(any Error)
    /// A newer trigger has taken its place.
    case superseded
    /// Its policy doesn't let it start.
    case dropped
    /// It was cancelled.
    case cancelled
    /// It goes on until ``SagaTester/resume(_:with:sourceLocation:)`` ends it, or until the saga is cancelled.
    case suspended

    /// How it ends; nil if it doesn't.
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
