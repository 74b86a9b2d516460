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
    var outwardRoutes: [ObjectIdentifier: Route] = [:]

    init(of module: any Relux.Module.Type, in scope: ScopeNode) {
        (self.module, holder) = (module, scope)
        super.init(in: scope.serial)
    }

    var count: Int { instances.count }
    var isEmpty: Bool { instances.isEmpty }
    var isUnused: Bool { isEmpty && outwardRoutes.isEmpty && !isFollowed }

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

    // MARK: Outward

    /// What modules of the scope around the instances take of an action that an instance takes.
    func outwardRoute(for action: any Relux.Action.Type) -> Route? { outwardRoutes[ObjectIdentifier(action)] }

    /// Reduces an action of an instance in the scopes around it, from the inside out, and delivers it to the streams
    /// there.
    func reduceOutward<A: Relux.Action>(
        _ action: A, of child: ScopeNode, numbered number: UInt64, _ taken: inout [Taken]
    ) {
        guard let route = outwardRoute(for: A.self), let id = child.address?.id,
            let wrapped = route.childAction?.wrap(action, ofInstance: id)
        else { return }
        func reduce<W: Relux.Action>(_ wrapped: W, _ taken: inout [Taken]) {
            taken.append(Taken(action: wrapped, scope: holder, route: route, concerns: route.reduce(wrapped)))
            route.deliver(wrapped, number: number)
            holder.group?.reduceOutward(wrapped, of: holder, numbered: number, &taken)
        }
        reduce(wrapped, &taken)
    }
}
