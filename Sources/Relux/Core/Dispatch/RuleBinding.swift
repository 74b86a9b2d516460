/// A rule bound to the scope of its module.
///
/// - Isolation: The core's.
final class RuleBinding {
    /// The module that lists the rule. The rule reads from its scope.
    unowned let owner: Owner
    /// The rule's place in the list.
    let index: Int
    /// The actions that follow an action that the rule concerns.
    let decide: (any Relux.Action, borrowing Relux.StateReader) -> [any Relux.Action]
    /// Takes the present value as the one that the next change is compared with.
    let forgetChange: () -> Void

    /// A rule on an action, bound to the route of its type.
    init<Body: ActionRuleBody>(_ body: Body, of owner: Owner, at index: Int) {
        (self.owner, self.index) = (owner, index)
        decide = { action, reader in
            guard let action = action as? Body.A else { return [] }
            return body.decide(action, reader)
        }
        forgetChange = {}
    }

    /// A rule on the change of a state, bound to its cell.
    init<Body: ChangeRuleBody>(
        _ body: Body, onChangeOf cell: StateCell<Body.S>, of owner: Owner, at index: Int
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

extension AnyStateCell {
    /// The rules on changes of the state, as ``AnyStateCell/rules`` keeps them.
    var ruleBindings: [RuleBinding] { rules.compactMap { $0 as? RuleBinding } }
}
