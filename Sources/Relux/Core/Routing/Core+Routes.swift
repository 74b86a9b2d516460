/// The ways that actions take, by their types.
extension Core {
    /// The route of a type of action, if anything takes it.
    func existingRoute<A: Relux.Action>(for action: A.Type) -> Route<A>? {
        // unsafeDowncast: `route(for:)` puts a route under the type of its own actions.
        route(at: ObjectIdentifier(action)).map { unsafeDowncast($0, to: Route<A>.self) }
    }

    func route(at key: ObjectIdentifier) -> AnyRoute? {
        routes[key]?.takeUnretainedValue()
    }

    /// The route of a type of action, made if there is none.
    func route<A: Relux.Action>(for action: A.Type) -> Route<A> {
        if let existing = existingRoute(for: action) { return existing }
        lastRoute += 1
        let made = Route<A>(serial: lastRoute)
        routeOwner.set(ObjectIdentifier(action), to: made)
        routes.set(ObjectIdentifier(action), to: .passUnretained(made))
        return made
    }

    /// Forgets a route that nothing needs any more.
    func dropIfUnused(routeOf action: ObjectIdentifier) {
        guard routeOwner[action]?.isUnused == true else { return }
        routes.remove(action)
        routeOwner.remove(action)
    }
}
