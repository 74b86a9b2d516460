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

/// The rules on changes of states, by the states and their modules: a module takes its own away in O(1), however many
/// instances have rules on the state.
struct ChangeRules {
    private var rules: [ObjectIdentifier: [ObjectIdentifier: [RuleBinding]]] = [:]

    mutating func add(_ rule: RuleBinding, on cell: AnyStateCell) {
        rules[ObjectIdentifier(cell), default: [:]][ObjectIdentifier(rule.owner), default: []].append(rule)
        cell.concerns.insert(.rules)
    }

    mutating func remove(of owner: Owner, on cell: AnyStateCell) {
        let key = ObjectIdentifier(cell)
        rules[key]?[ObjectIdentifier(owner)] = nil
        guard rules[key]?.isEmpty ?? true else { return }
        rules[key] = nil
        cell.concerns.remove(.rules)
    }

    /// All rules on a state, in no particular order.
    func on(_ cell: AnyStateCell) -> [RuleBinding] {
        cell.concerns.contains(.rules) ? rules[ObjectIdentifier(cell)]?.values.flatMap { $0 } ?? [] : []
    }
}
