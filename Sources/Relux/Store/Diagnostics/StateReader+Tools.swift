/// Questions of tools about a whole store: of loggers, recorders, and invariants.
extension Relux.StateReader {
    /// Every state of every registered module with its scope: the root's first, each in the order of registration. A
    /// selection that uses this isn't made again when they change.
    ///
    /// - Complexity: O(n log n) in the number of modules and states.
    public var allStates: [Relux.ScopedState] {
        guard let core else { return [] }
        return scopes.flatMap { scope in
            scope.ownRegistrations.flatMap(\.cells).map { $0.scopedValue(in: scope, of: core) }
        }
    }

    /// All registered modules of the store with what they have connected, the root's first, each in the order of
    /// registration.
    ///
    /// - Complexity: O(n log n) in the number of modules.
    package var modules: [Relux.ModuleDescription] {
        guard let core else { return [] }
        return scopes.flatMap { scope in
            scope.ownRegistrations.map { Relux.ModuleDescription($0, in: scope.name(in: core)) }
        }
    }

    /// A registered module with what it has connected; nil if there is none.
    ///
    /// - Parameter scope: The instance that it is, or is registered in; nil for the root.
    package func module(_ module: any Relux.Module.Type, in scope: Relux.Scope?) -> Relux.ModuleDescription? {
        guard let node = node(of: scope) else { return nil }
        let isOpener = node.ownModule?.module == module
        let found = isOpener ? node.ownModule : node.registration(of: module, id: nil)
        return found.map { Relux.ModuleDescription($0, in: scope) }
    }

    /// The value of a state whose reducers have run; nil if its instance was closed in the same step.
    package func value(of reduced: Relux.ActionRecord.ReducedState) -> Relux.ScopedState? {
        guard let core, let node = reduced.owner == nil ? root : reduced.owner?.node else { return nil }
        return node.ownCell(of: reduced.type)?.scopedValue(in: node, of: core)
    }

    /// The instances of the store, anywhere in it, whose modules take a type of action, for tools that explain why an
    /// action wasn't taken elsewhere. Each comes before what it contains.
    ///
    /// A selection that uses this is not made again when an instance appears or disappears. If the reader reads from an
    /// instance that doesn't exist, there are none.
    ///
    /// - Complexity: O(n log n) in the number of instances.
    package func instances(taking action: any Relux.Action.Type) -> [Relux.Scope] {
        guard let core else { return [] }
        return scopes.filter { $0.handles(action) }.compactMap { $0.name(in: core) }
    }

    private func node(of scope: Relux.Scope?) -> ScopeNode? {
        guard let address = scope?.address else { return root }
        return root.flatMap { Tree(at: $0).resolve(address) }
    }

    /// All scopes of the store, each before what it contains.
    private var scopes: [ScopeNode] { root?.subtree ?? [] }

    /// The root of the store; nil if the reader reads from an instance that doesn't exist.
    private var root: ScopeNode? { node?.outward.first(where: \.isRoot) }
}

extension AnyStateCell {
    fileprivate func scopedValue(in scope: ScopeNode, of core: Core) -> Relux.ScopedState {
        Relux.ScopedState(scope: scope.name(in: core), state: anyValue)
    }
}
