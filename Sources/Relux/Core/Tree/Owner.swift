/// A registered module as those know it that it has brought: its states, reducers, rules, and sagas.
class Owner {
    let module: any Relux.Module.Type
    /// The scope that the module opens; nil for a module without an id.
    final let instance: ScopeNode?
    /// The scope in which the module is registered, which holds this until it is closed.
    unowned final let scope: ScopeNode
    /// Unique in the store. Later registrations have higher numbers. A module that is registered again is a new
    /// generation.
    final private(set) var generation: UInt64 = 0

    init(_ module: any Relux.Module.Type, in scope: ScopeNode, opening instance: ScopeNode?) {
        (self.module, self.scope, self.instance) = (module, scope, instance)
    }

    /// The scope in which everything that the module lists is registered.
    final var content: ScopeNode { instance ?? scope }

    final func number(as generation: UInt64) { self.generation = generation }
}
