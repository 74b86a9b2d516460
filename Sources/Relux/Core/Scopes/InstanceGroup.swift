/// The instances of one module in one scope, and what modules of that scope take of their actions.
///
/// As a source, it changes with each instance that appears or disappears.
///
/// - Isolation: The core's.
final class InstanceGroup: Source {
    let module: any Relux.Module.Type
    /// The scope around the instances, which holds this group.
    unowned let holder: ScopeNode
    private var instances: [AnySendableHashable: ScopeNode] = [:]
    private var ordered = ArrivalList<ScopeNode>()
    /// The routes of the scope around the instances for their actions, by the type of the inner action.
    private var outwardRoutes: [ObjectIdentifier: AnyOutwardRoute] = [:]

    init(of module: any Relux.Module.Type, in scope: ScopeNode) {
        (self.module, holder) = (module, scope)
        super.init(in: scope.serial)
    }

    var count: Int { instances.count }
    var isEmpty: Bool { instances.isEmpty }
    var isUnused: Bool { isEmpty && outwardRoutes.isEmpty }

    /// The instances, in the order in which they were registered. O(n).
    var inOrder: [ScopeNode] { ordered.elements }

    func instance(_ id: AnySendableHashable) -> ScopeNode? { instances[id] }

    /// Adds an open instance, of whose id there is none.
    func insert(_ node: ScopeNode) {
        guard let id = node.address?.id else { return }
        instances[id] = node
        ordered.append(node, as: node.serial)
        noteChange()
    }

    func remove(_ node: ScopeNode) {
        guard let id = node.address?.id else { return }
        instances[id] = nil
        ordered.remove(node.serial)
        noteChange()
    }

    /// What modules of the scope around the instances take of an action that an instance takes.
    func outwardRoute<A: Relux.Action>(for action: A.Type) -> OutwardRoute<A>? {
        guard !outwardRoutes.isEmpty, let route = outwardRoutes[ObjectIdentifier(action)] else { return nil }
        // unsafeDowncast: `add` stores each route by the type of its inner action.
        return unsafeDowncast(route, to: OutwardRoute<A>.self)
    }

    func add<A: Relux.Action>(_ route: OutwardRoute<A>) { outwardRoutes[ObjectIdentifier(A.self)] = route }

    func removeOutwardRoute(for action: any Relux.Action.Type) { outwardRoutes[ObjectIdentifier(action)] = nil }
}
