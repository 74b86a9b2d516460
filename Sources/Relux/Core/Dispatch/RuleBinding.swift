/// A rule bound to the scope of its module.
///
/// - Isolation: The core's.
class AnyRuleBinding {
    /// The scope from which the rule reads, which holds what this is bound to.
    unowned let scope: ScopeNode
    /// Rules decide in ascending order: by the generation of their module, and as that lists them.
    final var order: (module: UInt64, index: Int) = (0, 0)

    fileprivate init(in scope: ScopeNode) {
        self.scope = scope
    }

    /// What follows an action of the type of the rule's route.
    fileprivate func decide(after action: any Relux.Action, in core: isolated Core) -> [any Relux.Action] { [] }
}

final class ActionRuleBinding<A: Relux.Action>: AnyRuleBinding {
    private let body: @Sendable (A, borrowing Relux.StateReader) -> [any Relux.Action]

    init(_ body: @escaping @Sendable (A, borrowing Relux.StateReader) -> [any Relux.Action], in scope: ScopeNode) {
        self.body = body
        super.init(in: scope)
    }

    override func decide(after action: any Relux.Action, in core: isolated Core) -> [any Relux.Action] {
        guard let action = action as? A else { return [] }
        return body(action, Relux.StateReader(at: .scope(scope), in: core))
    }
}

/// A rule on the change of a state, bound to its cell.
class AnyChangeRuleBinding: AnyRuleBinding {
    /// Stops following the state.
    func disconnect() {}

    /// Takes the present value as the one that the next change is compared with.
    func forgetChange() {}
}

final class ChangeRuleBinding<Body: ChangeRuleBody>: AnyChangeRuleBinding {
    private let body: Body
    private unowned let cell: StateCell<Body.S>
    private var last: Body.V

    init(_ body: Body, of cell: StateCell<Body.S>, in scope: ScopeNode) {
        (self.body, self.cell) = (body, cell)
        last = body.select(cell.value)
        super.init(in: scope)
    }

    override func decide(after action: any Relux.Action, in core: isolated Core) -> [any Relux.Action] {
        let (old, new) = (last, body.select(cell.value))
        guard old != new else { return [] }
        last = new
        return body.decide(old, new, Relux.StateReader(at: .scope(scope), in: core))
    }

    override func disconnect() { cell.remove(self) }

    override func forgetChange() { last = body.select(cell.value) }
}

extension Core {
    /// An action that a rule has added to a step.
    struct Added {
        let action: any Relux.Action
        /// The number of the action that the rule was for.
        let follows: UInt64
        /// Where it is looked up: the scope of the rule and those around it, from the inside out.
        let scopes: [ScopeNode]
    }

    /// What the rules for an action decide, in order.
    ///
    /// - Parameters:
    ///   - route: What took the action.
    ///   - sequence: The number of the action.
    func added(by route: Route, after action: any Relux.Action, numbered sequence: UInt64) -> [Added] {
        let rules = (route.rules + route.cells.flatMap(\.rules)).sorted { $0.order < $1.order }
        return rules.flatMap { rule in
            let actions = rule.decide(after: action, in: self)
            guard !actions.isEmpty else { return [Added]() }
            let scopes = Array(rule.scope.outward)
            return actions.map { Added(action: $0, follows: sequence, scopes: scopes) }
        }
    }
}
