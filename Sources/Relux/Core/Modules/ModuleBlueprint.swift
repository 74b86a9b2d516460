/// The properties of a module. Each is read once, when it is needed: never if the module turns out to be registered
/// already, and not again after its states were loaded.
final class ModuleBlueprint {
    private let source: any Relux.Module
    let module: any Relux.Module.Type
    let id: AnySendableHashable?
    private(set) lazy var states = source.states
    private(set) lazy var reducers = source.reducers
    private(set) lazy var rules = source.rules
    private(set) lazy var sagas = source.sagas
    private(set) lazy var flows = source.flows
    private(set) lazy var watchers = source.watchers
    private(set) lazy var dependencies = source.dependencies.map { ModuleBlueprint($0) }
    private(set) lazy var requires = source.requires
    private(set) lazy var children = source.children
    private(set) lazy var openingActions = source.openingActions
    private(set) lazy var persistence = source.persistence

    init(_ module: any Relux.Module) {
        (source, self.module, id) = (module, type(of: module), module.instanceID)
    }

    /// The handlers of actions, apart from the own reducers of states.
    var handlers: [(action: any Relux.Action.Type, scope: Relux.HandlerScope)] {
        reducers.map { ($0.action, $0.scope) } + flows.map { ($0.effect, .lexical) }
            + sagas.map { ($0.trigger, $0.listensTo) }
            + rules.compactMap { rule in rule.action.map { ($0, rule.scope) } }
    }
}
