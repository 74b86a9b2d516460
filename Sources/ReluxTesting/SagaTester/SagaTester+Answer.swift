import Relux
import Testing

extension SagaTester {
    /// Scripts the answers to effects of one type that the saga performs, awaits in `actions { }`, or dispatches.
    ///
    /// `dispatch(effect).finished()` waits until the answer is given. A later script replaces an earlier one for the
    /// same type.
    ///
    /// - Parameter answer: Returns the answer to each effect.
    /// - Throws: A `StoreError` if the tested flow itself answers effects of this type.
    public func answer<E: Relux.Effect>(
        _ effect: E.Type, _ answer: @escaping @Sendable (E) -> SagaAnswer<E.Output>
    ) async throws {
        if let script: Script<E, E.Output> = script(of: effect) { return script.say(answer) }

        let script = Script<E, E.Output>(answer)
        try await add(ScriptModule(script: script), script, of: effect)
    }

    /// Scripts the work that the actions of one type trigger elsewhere, for a saga that awaits this work.
    ///
    /// Both `dispatch(action).finished()` and `actions { action }` wait until the answer is given.
    ///
    /// - Parameter answer: Returns the answer to each action.
    @_disfavoredOverload
    public func answer<A: Relux.Action>(
        _ action: A.Type, _ answer: @escaping @Sendable (A) -> SagaAnswer<Void>
    ) async throws {
        if let script: Script<A, Void> = script(of: action) { return script.say(answer) }

        let script = Script<A, Void>(answer)
        try await add(ActionScriptModule(script: script), script, of: action)
    }

    /// Answers the suspended effect of one type that has waited longest, and runs the saga as far as it can go.
    ///
    /// If no such effect is suspended, that is recorded as an issue.
    ///
    /// - Parameter answer: The answer. `suspended` leaves the effect suspended.
    public func resume<E: Relux.Effect>(
        _ effect: E.Type, with answer: SagaAnswer<E.Output>, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let script: Script<E, E.Output>? = script(of: effect)
        await finish(effect, script?.resume(with: answer) == true, sourceLocation)
    }

    /// Answers the suspended action of one type that has waited longest, and runs the saga as far as it can go.
    ///
    /// If no such action is suspended, that is recorded as an issue.
    ///
    /// - Parameter answer: The answer. `suspended` leaves the action suspended.
    @_disfavoredOverload
    public func resume<A: Relux.Action>(
        _ action: A.Type, with answer: SagaAnswer<Void>, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let script: Script<A, Void>? = script(of: action)
        await finish(action, script?.resume(with: answer) == true, sourceLocation)
    }

    private func finish(_ action: any Relux.Action.Type, _ isResumed: Bool, _ location: SourceLocation) async {
        guard isResumed else {
            Issue.record("No \(TypeName.short(action)) is suspended.", sourceLocation: location)
            return
        }
        await executor.rest()
        expectNothingOverlooked(location)
    }

    private func add(_ module: any Relux.Module, _ script: any Sendable, of action: any Relux.Action.Type) async throws
    {
        try await executor.value { [store] in try await store.register(module) }
        scripts.change { $0[ObjectIdentifier(action)] = script }
    }

    private func script<A: Relux.Action, Output>(of action: A.Type) -> Script<A, Output>? {
        scripts.value[ObjectIdentifier(action)] as? Script<A, Output>
    }
}

// MARK: - Oversights

extension SagaTester {
    /// States that the saga is expected to throw errors of a type from now on, although nobody receives them.
    ///
    /// It covers any number of such errors, and requires at least one run to fail with one. Reading ``outcome``
    /// receives an error as well, and needs no expectation.
    public nonisolated(nonsending) func expectFailure<E: Error>(
        _ type: E.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        notebook.expectFailure(type, sourceLocation)
    }

    /// States that refusals are expected from now on: actions and effects that nothing takes, and refused writes.
    ///
    /// It covers any number of refusals, and requires at least one.
    public nonisolated(nonsending) func expectRefusal(sourceLocation: SourceLocation = #_sourceLocation) async {
        notebook.expectRefusal(sourceLocation)
    }

    /// Records an issue for each awaited effect that has no script, and for each refusal that the test didn't expect.
    func expectNothingOverlooked(_ location: SourceLocation) {
        if executor.takeEndlessness() {
            let last = steps.suffix(5).map { "\n    \($0)" }.joined()
            Issue.record(
                """
                The saga doesn't come to rest: something in it repeats again and again. The calls after this one do \
                nothing. Its last steps:\(last.isEmpty ? " none" : last)
                """,
                sourceLocation: location
            )
        }
        let known = scripts.value
        let unanswered = notebook.takePerformed().filter {
            known[ObjectIdentifier(type(of: $0))] == nil && type(of: $0) != Trigger.self
        }
        for effect in unanswered {
            let name = TypeName.short(type(of: effect))
            Issue.record(
                """
                The saga performed \(ActionText.line(effect)), which has no answer. Give one before: \
                `answer(\(name).self) { … }`.
                """,
                sourceLocation: location
            )
        }
        for oversight in notebook.takeOverlooked() {
            guard case .untaken(let action) = oversight.kind else {
                Issue.record("\(oversight.text)", sourceLocation: location)
                continue
            }
            // An effect that `actions` awaits has been reported above.
            guard !unanswered.contains(where: { type(of: $0) == type(of: action) }) else { continue }
            let name = TypeName.short(type(of: action))
            Issue.record(
                """
                Nothing takes \(ActionText.line(action)). Give the tester what does: a state (`states:`), a reducer \
                (`reducers:`), or an answer (`answer(\(name).self) { … }`). If nothing should take it, state that \
                before: `expectRefusal()`.
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
    /// The effect continues until `SagaTester.resume` ends it or the saga is cancelled.
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
