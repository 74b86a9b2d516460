/// The routes of a scope, in its slots, and how actions find them.
extension ScopeNode {
    /// The route of a type of action in this very scope.
    func route(for action: any Relux.Action.Type) -> Route? { self[Slot(.route, for: action)] as? Route }

    /// The route of a type of action, created if there is none.
    ///
    /// - Parameter isListening: Whether it is that of the handlers in an instance that listen to the scopes around it.
    func makeRoute(for action: any Relux.Action.Type, listening isListening: Bool = false) -> Route {
        let slot = Slot(isListening ? .listening : .route, for: action)
        if let existing = self[slot] as? Route { return existing }
        let route = Route(of: action, in: self, listening: isListening)
        self[slot] = route
        if isListening { countListeners(1) }
        if !isListening, let child = route.childAction {
            makeGroup(of: child.module).outward[Slot.number(of: child.innerType)] = route
        }
        return route
    }

    func removeIfUnused(_ route: Route) {
        let slot = Slot(route.isListening ? .listening : .route, for: route.action)
        guard route.isUnused, self[slot] === route else { return }
        if route.isListening {
            route.hear(nil)
            countListeners(-1)
        }
        self[slot] = nil
        guard !route.isListening, let child = route.childAction, let group = group(of: child.module) else { return }
        group.outward[Slot.number(of: child.innerType)] = nil
        removeIfUnused(group)
    }

    // MARK: Listening

    private var listeningRoutes: [Route] { contents.compactMap { $0 as? Route }.filter(\.isListening) }

    /// Lets what listens in this scope and in the instances inside it hear the innermost scope with a taker. Called
    /// when what an instance takes has changed: the root hears what nothing takes, so its own handlers make no
    /// difference.
    func updateListeners() {
        guard !isRoot, hasListeners else { return }
        for scope in subtree {
            for route in scope.listeningRoutes {
                let taken = scope.handlingScope(of: route.action).route.flatMap { $0.isTaken ? $0 : nil }
                route.hear(taken ?? root.makeRoute(for: route.action))
            }
        }
    }

    /// Ends all listening in an instance that is about to be closed.
    func stopListening() {
        guard hasListeners else { return }
        for route in listeningRoutes { route.hear(nil) }
        // Whatever listens inside can then no longer tell the scopes around this one.
        countListeners(-listenerCount)
    }

    private func countListeners(_ change: Int) { for scope in outward { scope.noteListeners(change) } }

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

    /// The scope whose handlers get an action that is dispatched here, and its route for the action; nil if there are
    /// none.
    func taker(of action: any Relux.Action.Type) -> (scope: ScopeNode, route: Route?)? {
        let found = handlingScope(of: action)
        if found.route?.isTaken == true || group?.outward[Slot.number(of: action)] != nil { return found }
        // An action that only listeners take goes to the root.
        let root = root
        return root.route(for: action).flatMap { $0.listeners.isEmpty ? nil : (root, $0) }
    }

    /// The scope that an action dispatched here goes to: the one that takes it. If none does, the innermost one, from
    /// here outward, that has a stream of it; otherwise this one.
    ///
    /// - Returns: The scope, and its route for the action, if there is one.
    func destination(of action: any Relux.Action.Type) -> (scope: ScopeNode, route: Route?) {
        if let taker = taker(of: action) { return taker }
        for scope in outward {
            if let route = scope.route(for: action), !route.streams.isEmpty { return (scope, route) }
        }
        return (self, route(for: action))
    }
}

// MARK: - Dismissals

/// The reducers that remove an instance from the states that have opened it, in its slots.
private final class Dismissals {
    /// By the numbers of what holds the instance.
    var all = ArrivalList<AnyReducerBinding>()
}

extension ScopeNode {
    private static let dismissals = Slot(.single, for: Dismissals.self)

    /// The reducer that dismisses this instance; nil if nothing can.
    var dismissal: AnyReducerBinding? { (self[Self.dismissals] as? Dismissals)?.all.first }

    func addDismissal(_ dismissal: AnyReducerBinding, of holder: UInt64) {
        let dismissals = self[Self.dismissals] as? Dismissals ?? Dismissals()
        dismissals.all.insert(dismissal, as: holder)
        self[Self.dismissals] = dismissals
    }

    func removeDismissal(of holder: UInt64) { (self[Self.dismissals] as? Dismissals)?.all.remove(holder) }
}
