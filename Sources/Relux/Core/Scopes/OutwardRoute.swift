/// What modules of the scope around an instance take of the instance's actions.
///
/// - Isolation: The core's.
class AnyOutwardRoute {
    fileprivate init() {}
}

/// The same for one type of action.
class OutwardRoute<A: Relux.Action>: AnyOutwardRoute {
    /// Reduces an action in the scopes around an instance, from the inside out, and delivers it to the streams there.
    func reduce(_ action: A, of child: ScopeNode, numbered number: UInt64, _ taken: inout [any AnyTaken]) {}
}

/// The route of the wrapped actions in the scope around the instances.
private final class ChildActionRoute<M: Relux.Module & Identifiable, A: Relux.Action>: OutwardRoute<A>
where M.ID: Sendable {
    /// The scope, which holds this by the group of the instances.
    private unowned let scope: ScopeNode
    private let route: Route

    init(_ route: Route, in scope: ScopeNode) {
        (self.route, self.scope) = (route, scope)
    }

    override func reduce(_ action: A, of child: ScopeNode, numbered number: UInt64, _ taken: inout [any AnyTaken]) {
        guard let id = child.address?.id.value(as: M.ID.self) else { return }
        let wrapped = Relux.ChildAction<M, A>(id: id, action)
        taken.append(Taken(wrapped, in: scope, on: route, route.reduce(wrapped)))
        route.deliver(wrapped, number: number)
        scope.group?.outwardRoute(for: Relux.ChildAction<M, A>.self)?
            .reduce(wrapped, of: scope, numbered: number, &taken)
    }
}

/// A ``Relux/ChildAction`` of any module and action.
protocol AnyChildAction: Relux.Action {
    /// Connects a route for actions of this type with the instances.
    static func connect(_ route: Route, in scope: ScopeNode)
    /// Undoes this.
    static func disconnect(in scope: ScopeNode)

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
    static func connect(_ route: Route, in scope: ScopeNode) {
        scope.makeGroup(of: M.self).add(ChildActionRoute<M, A>(route, in: scope))
    }

    static func disconnect(in scope: ScopeNode) {
        guard let group = scope.group(of: M.self) else { return }
        group.removeOutwardRoute(for: A.self)
        scope.removeIfUnused(group)
    }

    func instance(from scope: ScopeNode) -> ScopeNode? {
        scope.innermostGroup(of: M.self)?.instance(AnySendableHashable(id))
    }

    func address(in scope: ScopeNode) -> ScopeAddress {
        let holder = scope.innermostGroup(of: M.self)?.holder ?? scope
        return ScopeAddress(of: M.self, id: AnySendableHashable(id), in: holder.address)
    }

    var inner: any Relux.Action { action }
}
