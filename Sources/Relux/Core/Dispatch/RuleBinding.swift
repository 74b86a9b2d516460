/// A rule bound to the scope of its module.
///
/// - Isolation: The core's.
final class RuleBinding {
    /// The module that lists the rule. The rule reads from its scope.
    unowned let owner: ModuleRegistration
    /// The rule's place in the list.
    fileprivate let index: Int
    /// What follows an action that the rule concerns.
    fileprivate let decide: (any Relux.Action, borrowing Relux.StateReader) -> [any Relux.Action]
    /// Takes the present value as the one that the next change is compared with.
    let forgetChange: () -> Void

    /// A rule on an action, bound to the route of its type.
    init<Body: ActionRuleBody>(_ body: Body, of owner: ModuleRegistration, at index: Int) {
        (self.owner, self.index) = (owner, index)
        decide = { action, reader in
            guard let action = action as? Body.A else { return [] }
            return body.decide(action, reader)
        }
        forgetChange = {}
    }

    /// A rule on the change of a state, bound to its cell.
    init<Body: ChangeRuleBody>(
        _ body: Body, onChangeOf cell: StateCell<Body.S>, of owner: ModuleRegistration, at index: Int
    ) {
        (self.owner, self.index) = (owner, index)
        var last = body.select(cell.value)
        decide = { [unowned cell] _, reader in
            let (old, new) = (last, body.select(cell.value))
            guard old != new else { return [] }
            last = new
            return body.decide(old, new, reader)
        }
        forgetChange = { [unowned cell] in last = body.select(cell.value) }
    }
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
    ///   - taken: The action as one scope has taken it.
    ///   - sequence: The number of the action.
    func added(by taken: Taken, numbered sequence: UInt64) -> [Added] {
        guard taken.scope.isOpen, let route = taken.route, taken.concerns.contains(.rules) || !route.rules.isEmpty
        else { return [] }
        // As their modules were registered, and as those list them.
        let rules = (route.rules + route.cells.flatMap(\.rules)).sorted {
            ($0.owner.generation, $0.index) < ($1.owner.generation, $1.index)
        }
        return rules.flatMap { rule in
            let actions = rule.decide(taken.action, Relux.StateReader(at: rule.owner.content, in: self))
            guard !actions.isEmpty else { return [Added]() }
            let scopes = Array(rule.owner.content.outward)
            return actions.map { Added(action: $0, follows: sequence, scopes: scopes) }
        }
    }
}
