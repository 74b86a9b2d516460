/// What a module says about itself. Each property is read once.
final class ModuleBlueprint {
    let module: any Relux.Module.Type
    let states: [any Relux.State]
    let reducers: [Relux.Reducer]
    let rules: [Relux.Rule]
    let sagas: [any Relux.Saga]
    let flows: [any Relux.Flow]
    let watchers: [any Relux.Watcher]
    let dependencies: [any Relux.Module]
    let requires: [any Relux.Module.Type]
    let children: [Relux.Children]

    init(_ module: any Relux.Module) {
        self.module = type(of: module)
        states = module.states
        reducers = module.reducers
        rules = module.rules
        sagas = module.sagas
        flows = module.flows
        watchers = module.watchers
        dependencies = module.dependencies
        requires = module.requires
        children = module.children
    }

    /// What takes actions, apart from the own reducers of states and from flows.
    var handlers: [(action: any Relux.Action.Type, scope: Relux.HandlerScope)] {
        reducers.map { ($0.action, $0.scope) } + sagas.map { ($0.trigger, $0.listensTo) }
            + rules.compactMap { rule in rule.action.map { ($0, rule.scope) } }
    }

    /// Whether the module lists a state that has these actions.
    func ownsState(with action: any Relux.Action.Type) -> Bool {
        states.contains { $0.ownAction == action }
    }
}

extension Relux.State {
    var ownAction: any Relux.Action.Type { Action.self }
}

extension Relux.Saga {
    fileprivate var trigger: any Relux.Action.Type { Trigger.self }
}

extension Relux.Rule {
    /// The type of action that the rule is on; nil if it is on a change.
    fileprivate var action: (any Relux.Action.Type)? {
        func action<Body: ActionRuleBody>(of body: Body) -> any Relux.Action.Type { Body.A.self }
        return if case .action(let body) = body { action(of: body) } else { nil }
    }

    /// The state whose changes the rule is on; nil if it is on an action.
    var changingState: (any Relux.State.Type)? {
        func state<Body: ChangeRuleBody>(of body: Body) -> any Relux.State.Type { Body.S.self }
        return if case .change(let body) = body { state(of: body) } else { nil }
    }
}

extension Relux.Module {
    /// The id of the instance; nil for a module without one.
    var instanceID: AnySendableHashable? {
        func id<M: Relux.Module & Identifiable>(of module: M) -> AnySendableHashable {
            AnySendableHashable(unchecked: module.id)
        }
        return (self as? any Relux.Module & Identifiable).map { id(of: $0) }
    }
}

extension Relux.Flow {
    var effect: any Relux.Effect.Type { Trigger.self }
}

extension Relux.Reducer {
    var state: any Relux.State.Type { body.state }
    var action: any Relux.Action.Type { body.action }
}

extension ReducerBody {
    fileprivate var state: any Relux.State.Type { S.self }
    fileprivate var action: any Relux.Action.Type { A.self }
}
