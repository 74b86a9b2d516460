import Relux
import Testing

extension TestStore {
    /// Receives the next action that the test did not dispatch itself, such as one from a saga, a watcher or a `send`,
    /// one that accompanies a run (`actionOnStart`), or an opening action.
    ///
    /// If nothing can run and no deadline is due, there is no such action, and the test fails at once. Without
    /// exhaustivity, other actions are skipped. The actions of a batch are reduced in one step, so the changes of all
    /// of them are stated with the first one.
    ///
    /// - Parameters:
    ///   - action: The expected action.
    ///   - changes: One closure for each state that this action changes.
    public nonisolated(nonsending) func receive<A: Relux.Action & Equatable, each S: Relux.State>(
        _ action: A,
        _ changes: repeat @escaping (inout each S) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        _ = await receive(.equal(to: action), nil, list(repeat each changes), sourceLocation)
    }

    /// Receives the next action that the test did not dispatch itself, and waits for work that has left the scheduler.
    ///
    /// The wait doesn't poll: a job that returns to the scheduler resumes it.
    ///
    /// - Cancellation: The wait ends when the task is cancelled.
    /// - Parameters:
    ///   - action: The expected action.
    ///   - limit: How long to wait, in real time, for work that has left the scheduler.
    ///   - changes: One closure for each state that this action changes.
    public nonisolated(nonsending) func receive<A: Relux.Action & Equatable, each S: Relux.State>(
        _ action: A,
        within limit: Duration,
        _ changes: repeat @escaping (inout each S) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        _ = await receive(.equal(to: action), limit, list(repeat each changes), sourceLocation)
    }

    /// Receives the next action that the test did not dispatch itself, which must have a given type.
    ///
    /// - Parameters:
    ///   - type: The expected type.
    ///   - changes: One closure for each state that this action changes.
    /// - Returns: The action; nil if the expectation failed.
    @discardableResult
    public nonisolated(nonsending) func receive<A: Relux.Action, each S: Relux.State>(
        _ type: A.Type,
        _ changes: repeat @escaping (inout each S) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> A? {
        await receive(.ofType(type), nil, list(repeat each changes), sourceLocation) as? A
    }

    /// Receives the next action, which must have a given type, and waits for work that has left the scheduler.
    ///
    /// Only actions that the test did not dispatch itself are received. The wait doesn't poll: a job that returns to
    /// the scheduler resumes it.
    ///
    /// - Cancellation: The wait ends when the task is cancelled.
    /// - Parameters:
    ///   - type: The expected type.
    ///   - limit: How long to wait, in real time, for work that has left the scheduler.
    ///   - changes: One closure for each state that this action changes.
    /// - Returns: The action; nil if the expectation failed.
    @discardableResult
    public nonisolated(nonsending) func receive<A: Relux.Action, each S: Relux.State>(
        _ type: A.Type,
        within limit: Duration,
        _ changes: repeat @escaping (inout each S) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> A? {
        await receive(.ofType(type), limit, list(repeat each changes), sourceLocation) as? A
    }

    /// Receives the next action that the test did not dispatch itself, which must match a type and a predicate.
    ///
    /// ```swift
    /// await store.receive(Notes.State.Action.self, where: { if case .failed = $0 { true } else { false } })
    /// ```
    ///
    /// - Parameters:
    ///   - type: The expected type.
    ///   - isWanted: Whether an action of that type is the expected one.
    ///   - changes: One closure for each state that this action changes.
    /// - Returns: The action; nil if the expectation failed.
    @discardableResult
    public nonisolated(nonsending) func receive<A: Relux.Action, each S: Relux.State>(
        _ type: A.Type,
        where isWanted: @escaping (A) -> Bool,
        _ changes: repeat @escaping (inout each S) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> A? {
        await receive(.described(isWanted), nil, list(repeat each changes), sourceLocation) as? A
    }

    /// Receives the next action, which must match a type and a predicate, and waits for work off the scheduler.
    ///
    /// Only actions that the test did not dispatch itself are received. The wait doesn't poll: a job that returns to
    /// the scheduler resumes it.
    ///
    /// - Cancellation: The wait ends when the task is cancelled.
    /// - Parameters:
    ///   - type: The expected type.
    ///   - isWanted: Whether an action of that type is the expected one.
    ///   - limit: How long to wait, in real time, for work that has left the scheduler.
    ///   - changes: One closure for each state that this action changes.
    /// - Returns: The action; nil if the expectation failed.
    @discardableResult
    public nonisolated(nonsending) func receive<A: Relux.Action, each S: Relux.State>(
        _ type: A.Type,
        where isWanted: @escaping (A) -> Bool,
        within limit: Duration,
        _ changes: repeat @escaping (inout each S) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> A? {
        await receive(.described(isWanted), limit, list(repeat each changes), sourceLocation) as? A
    }

    /// Receives the next action that the test did not dispatch itself, which must be one of a state's own actions, and
    /// states how it changes that state.
    ///
    /// ```swift
    /// await store.receive(.up, in: Counter.State.self) { $0.count = 1 }
    /// ```
    ///
    /// - Cancellation: A wait for work that has left the scheduler ends when the task is cancelled.
    /// - Parameters:
    ///   - action: The expected action.
    ///   - state: The state whose action it is.
    ///   - limit: How long to wait, in real time, for work that has left the scheduler. With nil, it doesn't wait.
    ///   - change: Turns the state before the action into the state after it. Other states must not change, unless
    ///     exhaustivity is off.
    public nonisolated(nonsending) func receive<S: Relux.State>(
        _ action: S.Action,
        in state: S.Type,
        within limit: Duration? = nil,
        _ change: (inout S) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async where S.Action: Equatable {
        await receive(.equal(to: action), limit, from: nil, change, sourceLocation)
    }

    /// Receives the next action that the test did not dispatch itself, which must be one of a state's own actions, and
    /// must change nothing.
    ///
    /// - Cancellation: A wait for work that has left the scheduler ends when the task is cancelled.
    /// - Parameters:
    ///   - action: The expected action. It must not change any state, unless exhaustivity is off.
    ///   - state: The state whose action it is.
    ///   - limit: How long to wait, in real time, for work that has left the scheduler. With nil, it doesn't wait.
    public nonisolated(nonsending) func receive<S: Relux.State>(
        _ action: S.Action,
        in state: S.Type,
        within limit: Duration? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async where S.Action: Equatable {
        _ = await receive(.equal(to: action), limit, [], sourceLocation)
    }
}

// MARK: - Receiving a step

extension TestStore {
    /// The action that a step expects.
    struct Wanted {
        private(set) var text: String
        var value: (any Relux.Action)?
        let matches: (any Relux.Action) -> Bool
        /// The instance that must have taken the action; nil for any scope.
        private(set) var scope: Relux.Scope?

        func isMet(by record: Relux.ActionRecord) -> Bool {
            matches(record.action) && (scope == nil || scope == record.scope)
        }

        func `in`(_ scope: Relux.Scope) -> Wanted {
            var wanted = self
            wanted.scope = scope
            wanted.text += " in \(scope)"
            return wanted
        }

        static func equal<A: Relux.Action & Equatable>(to action: A) -> Wanted {
            Wanted(text: ActionText.line(action), value: action) { ($0 as? A) == action }
        }

        static func ofType<A: Relux.Action>(_ type: A.Type) -> Wanted {
            Wanted(text: "A \(TypeName.short(type))") { $0 is A }
        }

        static func described<A: Relux.Action>(_ isWanted: @escaping (A) -> Bool) -> Wanted {
            Wanted(text: "A \(TypeName.short(A.self)) as described") { action in (action as? A).map(isWanted) ?? false }
        }
    }

    nonisolated(nonsending) func receive(
        _ wanted: Wanted, _ limit: Duration?, _ changes: [any AnyStateChange], _ location: SourceLocation
    ) async -> (any Relux.Action)? {
        guard let step = await take(wanted, limit, location) else { return nil }
        check(step.after, adding: step.added, changes, after: "After \(step.description)", location)
        return step.record.action
    }

    /// Receives one of a state's own actions, and states how it changes that state.
    ///
    /// - Parameter scope: Where the state is looked up, from there outward; nil for the root.
    nonisolated(nonsending) func receive<S: Relux.State>(
        _ wanted: Wanted, _ limit: Duration?, from scope: Relux.Scope?, _ change: (inout S) -> Void,
        _ location: SourceLocation
    ) async {
        guard let step = await take(wanted, limit, location) else { return }
        let stated = StateChange<S>(in: scope)
        stated.withChange(change) {
            check(step.after, adding: step.added, [stated], after: "After \(step.description)", location)
        }
    }

    /// Takes the step that is expected next.
    ///
    /// - Returns: The step; nil if the expectation failed.
    private nonisolated(nonsending) func take(
        _ wanted: Wanted, _ limit: Duration?, _ location: SourceLocation
    ) async -> TestLedger.Step? {
        let isExhaustive = exhaustivity == .on
        await rest(limit) { ledger.steps.contains { isExhaustive || wanted.isMet(by: $0.record) } }
        guard comesToRest(location) else { return nil }
        if isExhaustive {
            guard let step = ledger.takeFirst() else {
                await failEmpty(wanted, limit, location)
                return nil
            }
            if wanted.isMet(by: step.record) { return step }
            failOther(wanted, step, location)
            return nil
        }
        if let step = ledger.takeThrough({ wanted.isMet(by: $0.record) }).last { return step }
        await failEmpty(wanted, limit, location)
        return nil
    }

    private nonisolated(nonsending) func failEmpty(
        _ wanted: Wanted, _ limit: Duration?, _ location: SourceLocation
    ) async {
        let others = ledger.steps.map { "\n    \($0.description)" }
        let late = limit.map { ", also not within \($0.decimalText)" } ?? ""
        let came = others.isEmpty ? "nothing came\(late)" : "only this came\(late):\(others.joined())\nAnd now"
        let colon = others.isEmpty ? ":" : ""
        let end = "\(colon) \(await standstill(limit))\n\(await unfinished())"
        fail("\(wanted.text) was expected, but \(came)\(end)\(skipped(wanted))", location)
    }

    /// Without exhaustivity, each step skips what the one before has left over.
    private func skipped(_ wanted: Wanted) -> String {
        guard exhaustivity == .off,
            let record = recorder.records.last(where: { $0.cause != nil && wanted.isMet(by: $0) })
        else { return "" }
        let text = RecordingObserver.Event.actionReduced(record)
        return "\nIt came before, and a step has received or skipped it: \(text)"
    }

    private func failOther(_ wanted: Wanted, _ step: TestLedger.Step, _ location: SourceLocation) {
        ledger.know(step.after)
        let difference = wanted.value.flatMap { Self.difference($0, step.record.action) }
        let comparison = difference.map { " (- expected, + actual):\n\n\($0)" } ?? "."
        fail("\(wanted.text) was expected, but this came: \(step.description)\(comparison)", location)
    }

    /// Returns the difference between two actions if they have the same type.
    private static func difference<A: Relux.Action>(_ expected: A, _ actual: any Relux.Action) -> Difference? {
        (actual as? A).flatMap { Difference(expected: expected, actual: $0) }
    }
}
