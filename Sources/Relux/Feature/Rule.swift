extension Relux {
    /// A decision across states: which actions follow an action, in the same step.
    ///
    /// Use a rule for a decision that concerns several states, such as a confirmation that removes an element from a
    /// list and closes the page that shows it. It decides while the action is reduced, so nothing can change in
    /// between, as it can between a saga's read and its dispatch.
    ///
    /// ```swift
    /// var rules: [Relux.Rule] {
    ///     [
    ///         .init(on: Editor.State.Action.self) { action, reader in
    ///             guard case .deletionConfirmed(let id) = action else { return [] }
    ///             return [Items.State.Action.remove(id), Pages.Action.popTo(root)]
    ///         }
    ///     ]
    /// }
    /// ```
    ///
    /// - Isolation: The closures are called inside the store, synchronously. They must be pure: they decide by their
    ///   parameters alone.
    /// - Ordering: The rules for an action decide after its reducers have run, and after instances that follow its
    ///   states have been opened and closed. They are called in the order of registration, and all see the same states.
    ///   The actions that they return are then reduced, before the next action of a batch. If rules respond to one of
    ///   these actions, what they add is reduced directly after it. Nothing outside sees the states in between.
    /// - Records: Each added action has a number and a record of its own, whose `follows` is the number of the action
    ///   that the rule responded to. The rules of an instance that the action has closed are not called.
    /// - Resolution: An added action is looked up from the scope of the rule. If that has closed, it is looked up from
    ///   the innermost scope around it that is still open.
    /// - Limit: Rules can add at most 1,000 actions to a step. The next one, and all that would follow it, are refused,
    ///   which is reported once as ``Refusal/Reason/endlessRules``. Everything that was reduced before stays.
    public struct Rule: Sendable {
        /// How many actions rules may add to a step.
        static let limit = 1_000

        let body: RuleBody
        let scope: HandlerScope

        /// Creates a rule on a type of action. An action that only a rule takes counts as taken; an effect still needs
        /// a saga or a flow.
        ///
        /// - Parameters:
        ///   - action: The type of action, matched by its exact concrete type.
        ///   - scope: Whether a rule of an instance listens to the scopes around it.
        ///   - decide: Returns what follows the action. The reader reads from the scope of the rule.
        public init<A: Action>(
            on action: A.Type, in scope: HandlerScope = .lexical,
            _ decide: @escaping @Sendable (A, borrowing StateReader) -> [any Action]
        ) {
            body = .action(ActionRule(decide: decide))
            self.scope = scope
        }

        /// Creates a rule on the change of a value. It is called once for each action whose reducers have changed the
        /// value. A reset doesn't count as a change.
        ///
        /// The module that owns the state must be registered, in the scope of the rule or around it, and stays
        /// registered as long as the rule. Otherwise, registering the rule fails with
        /// ``StoreError/foreignRule(of:in:)``.
        ///
        /// - Parameters:
        ///   - state: The state to follow.
        ///   - select: Selects the value. Keep it small: it is selected after each action that reduces the state.
        ///   - decide: Returns what follows the change.
        public init<S: State, V: Equatable & Sendable>(
            onChangeOf state: S.Type, _ select: @escaping @Sendable (S) -> V,
            _ decide: @escaping @Sendable (_ old: V, _ new: V, borrowing StateReader) -> [any Action]
        ) {
            body = .change(ChangeRule(select: select, decide: decide))
            scope = .lexical
        }
    }
}

/// A rule whose types can be recovered by opening the existential.
enum RuleBody: Sendable {
    case action(any ActionRuleBody)
    case change(any ChangeRuleBody)
}

protocol ActionRuleBody<A>: Sendable {
    associatedtype A: Relux.Action

    var decide: @Sendable (A, borrowing Relux.StateReader) -> [any Relux.Action] { get }
}

protocol ChangeRuleBody<S, V>: Sendable {
    associatedtype S: Relux.State
    associatedtype V: Equatable & Sendable

    var select: @Sendable (S) -> V { get }
    var decide: @Sendable (V, V, borrowing Relux.StateReader) -> [any Relux.Action] { get }
}

private struct ActionRule<A: Relux.Action>: ActionRuleBody {
    let decide: @Sendable (A, borrowing Relux.StateReader) -> [any Relux.Action]
}

private struct ChangeRule<S: Relux.State, V: Equatable & Sendable>: ChangeRuleBody {
    let select: @Sendable (S) -> V
    let decide: @Sendable (V, V, borrowing Relux.StateReader) -> [any Relux.Action]
}

extension Relux.Rule {
    /// The type of action that the rule is on; nil if it is on a change.
    var action: (any Relux.Action.Type)? {
        func action<Body: ActionRuleBody>(of body: Body) -> any Relux.Action.Type { Body.A.self }
        return if case .action(let body) = body { action(of: body) } else { nil }
    }

    /// The state whose changes the rule is on; nil if it is on an action.
    var changingState: (any Relux.State.Type)? {
        func state<Body: ChangeRuleBody>(of body: Body) -> any Relux.State.Type { Body.S.self }
        return if case .change(let body) = body { state(of: body) } else { nil }
    }
}
