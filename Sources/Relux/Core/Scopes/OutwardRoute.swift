/// What modules of the scope around an instance take of the instance's actions.
///
/// - Isolation: The core's.
class AnyOutwardRoute {
    fileprivate init() {}
}

/// The same for one type of action.
class OutwardRoute<A: Relux.Action>: AnyOutwardRoute {
    /// Runs the outer reducers, from the inside out, delivers the action to the streams there, and collects what else
    /// it concerns.
    func reduce(_ action: A, of child: ScopeNode, _ taken: inout OutwardTaken) {}
}

/// The actions that an action of an instance has become in the scopes around it, from the inside out.
struct OutwardTaken {
    var outward: [any AnyReduced] = []
    /// Whether a reader waits for a state that was reduced, in whichever scope.
    var isAwaited = false
}

/// The route of the wrapped actions in the scope around the instances.
private final class ChildActionRoute<M: Relux.Module & Identifiable, A: Relux.Action>: OutwardRoute<A>
where M.ID: Sendable {
    /// The scope, which holds this by the group of the instances.
    private unowned let scope: ScopeNode
    private let route: Route<Relux.ChildAction<M, A>>

    init(_ route: Route<Relux.ChildAction<M, A>>, in scope: ScopeNode) {
        (self.route, self.scope) = (route, scope)
    }

    override func reduce(_ action: A, of child: ScopeNode, _ taken: inout OutwardTaken) {
        guard let id = child.address?.id.value(as: M.ID.self) else { return }
        let wrapped = Relux.ChildAction<M, A>(id: id, action)
        if route.reduce(wrapped) { taken.isAwaited = true }
        route.deliver(wrapped)
        taken.outward.append(Reduced(wrapped, as: 0, in: scope, on: route))
        scope.outwardRoute(for: Relux.ChildAction<M, A>.self)?.reduce(wrapped, of: scope, &taken)
    }
}

extension ScopeNode {
    /// What modules of the scope around this instance take of an action that this instance takes.
    @inline(__always)
    func outwardRoute<A: Relux.Action>(for action: A.Type) -> OutwardRoute<A>? {
        hasOutwardRoutes ? group?.outwardRoute(for: action) : nil
    }
}

/// A ``Relux/ChildAction`` of any module and action.
protocol AnyChildAction: Relux.Action {
    /// Connects a route for actions of this type with the instances.
    static func connect(_ route: AnyRoute, in core: isolated Core, _ scope: ScopeNode)
    /// Undoes this.
    static func disconnect(in core: isolated Core, _ scope: ScopeNode)

    /// The instance, looked up from a scope outward.
    ///
    /// - Returns: Nil if there is none.
    func instance(from scope: ScopeNode) -> ScopeNode?
    /// Names the instance for a report, as a part of a scope.
    func address(in scope: ScopeNode) -> ScopeAddress
    /// The inner action.
    var inner: any Relux.Action { get }
}

extension Relux.ChildAction: AnyChildAction {
    static func connect(_ route: AnyRoute, in core: isolated Core, _ scope: ScopeNode) {
        let group = scope.makeGroup(of: M.self, in: core)
        group.add(ChildActionRoute<M, A>(route.route(for: Self.self), in: scope))
    }

    static func disconnect(in core: isolated Core, _ scope: ScopeNode) {
        guard let group = scope.group(of: M.self) else { return }
        group.removeOutwardRoute(for: A.self)
        scope.removeGroupIfUnused(group)
    }

    func instance(from scope: ScopeNode) -> ScopeNode? {
        scope.innermostGroup(of: ObjectIdentifier(M.self))?.node(for: AnySendableHashable(id))
    }

    func address(in scope: ScopeNode) -> ScopeAddress {
        let holder = scope.innermostGroup(of: ObjectIdentifier(M.self))?.scope ?? scope
        return ScopeAddress(of: M.self, id: AnySendableHashable(id), in: holder.address)
    }

    var inner: any Relux.Action { action }
}
