/// The tree of scopes: the root, and the instances in it.
///
/// - Owns: which scopes there are, which are being loaded, and what the parts above have put into their slots.
/// - Promises: an instance can be found as soon as it is opened, and until it is closed; a caller that is a run is led
///   to its own instance, never to a later one with the same id.
/// - Called by: the core, which resolves callers, and by Reading, Dispatch, and Modules, which look their own objects
///   up in the slots.
struct Tree {
    let root: ScopeNode

    init(at root: ScopeNode = ScopeNode()) { self.root = root }

    /// Looks up where a call is made; nil if there is no such instance.
    func scope(of caller: Caller) -> ScopeNode? {
        guard let address = caller.scope else { return root }
        let scope = resolve(address)
        // A run stays in its own instance, even if there is a new one with the same id.
        return caller.context == nil || caller.context?.scopeSerial == scope?.serial ? scope : nil
    }

    /// The scope that an address leads to; nil if there is no such instance now.
    ///
    /// - Complexity: O(1) if it was found before, otherwise one lookup for each scope around it.
    func resolve(_ address: ScopeAddress) -> ScopeNode? {
        if let node = address.node, node.isOpen { return node }
        var scope = root
        for address in address.path {
            if address.node?.isOpen != true { address.node = scope.group(of: address.module)?.instance(address.id) }
            guard let found = address.node else { return nil }
            scope = found
        }
        return scope
    }

    /// The states that are being loaded for an instance, or for one around it; nil if it isn't being loaded.
    func loads(for address: ScopeAddress?) -> [any Relux.State.Type]? {
        firstMissing(of: address).flatMap { $0.holder.group(of: $0.address.module)?.loads(of: $0.address.id) }
    }

    /// The outermost instance on the way to an address that doesn't exist, with the scope that would be around it; nil
    /// if all of them exist.
    func firstMissing(of address: ScopeAddress?) -> (address: ScopeAddress, holder: ScopeNode)? {
        guard let missing = address?.path.first(where: { resolve($0) == nil }) else { return nil }
        return (missing, missing.parent.flatMap { resolve($0) } ?? root)
    }
}
