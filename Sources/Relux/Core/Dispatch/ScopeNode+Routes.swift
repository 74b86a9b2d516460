/// The routes of a scope, in its slots, and how actions find them.
extension ScopeNode {
    /// The route of a type of action in this very scope.
    func route(for action: any Relux.Action.Type) -> Route? { self[Slot(.route, for: action)] as? Route }

    private func listeningRoute(for action: any Relux.Action.Type) -> Route? {
        self[Slot(.listening, for: action)] as? Route
    }

    /// The route of a type of action, created if there is none.
    func makeRoute(for action: any Relux.Action.Type) -> Route {
        if let existing = route(for: action) { return existing }
        let route = Route(of: action, in: self)
        self[Slot(.route, for: action)] = route
        if let child = route.childAction {
            let group = makeGroup(of: child.module)
            let outward = group.outward as? OutwardRoutes ?? OutwardRoutes()
            group.outward = outward
            outward.routes[Slot.number(of: child.innerType)] = route
        }
        return route
    }

    /// The route of the handlers in an instance that listen to a type of action, created if there is none.
    func makeListeningRoute(for action: any Relux.Action.Type) -> Route {
        if let existing = listeningRoute(for: action) { return existing }
        let route = Route(of: action, in: self)
        self[Slot(.listening, for: action)] = route
        return route
    }

    func removeIfUnused(_ route: Route) {
        guard route.isUnused else { return }
        if self.route(for: route.action) === route {
            self[Slot(.route, for: route.action)] = nil
            guard let child = route.childAction, let group = group(of: child.module),
                let outward = group.outward as? OutwardRoutes
            else { return }
            outward.routes[Slot.number(of: child.innerType)] = nil
            if outward.routes.isEmpty { group.outward = nil }
            removeIfUnused(group)
        } else if listeningRoute(for: route.action) === route {
            hear(nil, on: route)
            self[Slot(.listening, for: route.action)] = nil
        }
    }

    // MARK: Listening

    private var listeningRoutes: [Route] {
        contents.compactMap { $0 as? Route }.filter { self[Slot(.listening, for: $0.action)] === $0 }
    }

    /// Lets what listens in this scope and in the instances inside it hear the innermost scope with a taker. Called
    /// when what an instance takes has changed: the root hears what nothing takes, so its own handlers make no
    /// difference.
    func updateListeners() {
        guard !isRoot else { return }
        for scope in subtree {
            for route in scope.listeningRoutes {
                let taker = scope.handlingScope(of: route.action).scope
                hear((taker.handles(route.action) ? taker : root).makeRoute(for: route.action), on: route)
            }
        }
    }

    /// Ends all listening in an instance that is about to be closed.
    func stopListening() {
        for route in listeningRoutes { hear(nil, on: route) }
    }

    private func hear(_ heard: Route?, on route: Route) {
        if let earlier = route.hear(heard) { earlier.scope.removeIfUnused(earlier) }
    }

    // MARK: Lexical lookup

    /// The innermost scope, from this one outward, whose modules take a type of action. If there is none, this scope.
    ///
    /// - Returns: The scope, and its route for the action, if there is one.
    func handlingScope(of action: any Relux.Action.Type) -> (scope: ScopeNode, route: Route?) {
        for scope in outward {
            if let route = scope.route(for: action), route.isTaken { return (scope, route) }
        }
        return (self, route(for: action))
    }

    /// Whether a module in this very scope takes a type of action.
    func handles(_ action: any Relux.Action.Type) -> Bool { route(for: action)?.isTaken == true }

    /// The scope that an action dispatched here goes to: the one that takes it. If none does, and none takes it as an
    /// action of this instance either, the innermost one, from here outward, that has a stream of it; otherwise this
    /// one.
    ///
    /// - Returns: The scope, and its route for the action, if there is one.
    func destination<A: Relux.Action>(of action: A.Type) -> (scope: ScopeNode, route: Route?) {
        let found = handlingScope(of: action)
        guard found.route?.isTaken != true, group?.outwardRoute(for: action) == nil else { return found }
        // What only listeners take goes to the root.
        let root = root
        if let route = root.route(for: action), route.hasListeners { return (root, route) }
        for scope in outward {
            if let route = scope.route(for: action), !route.streams.isEmpty { return (scope, route) }
        }
        return found
    }
}

/// The routes of the scope around some instances for their actions, by the type of the inner action.
private final class OutwardRoutes {
    var routes = NumberMap<Route>()
}

extension InstanceGroup {
    /// What modules of the scope around the instances take of an action that an instance takes.
    func outwardRoute(for action: any Relux.Action.Type) -> Route? {
        (outward as? OutwardRoutes)?.routes[Slot.number(of: action)]
    }
}

// MARK: - Dismissals

/// What may have opened instances in a scope, and can remove them again.
protocol Dismissing: AnyObject {
    /// What dismisses an instance; nil if this doesn't hold it, or if its state has no way to remove it.
    func dismissal(of instance: ScopeNode) -> AnyReducerBinding?
}

private final class Dismissers {
    var all: [any Dismissing] = []
}

extension ScopeNode {
    /// In the order in which they were added.
    var dismissers: [any Dismissing] { (self[Slot(.single, for: Dismissers.self)] as? Dismissers)?.all ?? [] }

    func add(_ dismisser: any Dismissing) {
        let slot = Slot(.single, for: Dismissers.self)
        let dismissers = self[slot] as? Dismissers ?? Dismissers()
        dismissers.all.append(dismisser)
        self[slot] = dismissers
    }

    func remove(_ dismisser: any Dismissing) {
        (self[Slot(.single, for: Dismissers.self)] as? Dismissers)?.all.removeAll { $0 === dismisser }
    }
}
