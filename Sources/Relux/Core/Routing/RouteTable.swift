/// The routes of a store, by type of action.
///
/// - Isolation: The core's.
final class RouteTable {
    // The references are unowned: `owner` holds every route that is in here, and both change together, in this type.
    // exclusivity(unchecked): no route is looked up while the table is being changed. The check would cost a tenth of a
    // dispatch.
    @exclusivity(unchecked) private var routes = SerialMap<RouteReference>()
    private var owner = SerialMap<AnyRoute>()
    private var lastSerial: UInt64 = 0

    /// The route of a type of action; nil if nothing takes it. Valid until the routes are next changed.
    @inline(__always)
    subscript<A: Relux.Action>(action: A.Type) -> RouteReference? { routes[ObjectIdentifier(action)] }

    /// The route of the actions with a type; nil if nothing takes them.
    subscript(key: ObjectIdentifier) -> AnyRoute? { owner[key] }

    /// Creates the route of a type of action that has none.
    ///
    /// - Parameter address: The scope whose table this is; nil for the root.
    func makeRoute<A: Relux.Action>(for action: A.Type, in address: ScopeAddress?) -> Route<A> {
        lastSerial += 1
        let route = Route<A>(serial: lastSerial, in: address)
        owner.set(ObjectIdentifier(action), to: route)
        routes.set(ObjectIdentifier(action), to: RouteReference(route))
        return route
    }

    func remove(_ key: ObjectIdentifier) {
        routes.remove(key)
        owner.remove(key)
    }

    func removeAll() {
        routes.removeAll()
        owner.removeAll()
    }

    /// All routes, in order of creation.
    var inOrder: [AnyRoute] { owner.values.sorted { $0.serial < $1.serial } }

    var count: Int { routes.count }
}

/// An unowned reference to a route, to use it without retaining it: a retain and release are a third of a dispatch.
///
/// Valid until the routes are next changed. No reducer, observer, or saga can do that during a step.
struct RouteReference {
    // Unmanaged: the table that returns this reference holds the route.
    private let unmanaged: Unmanaged<AnyRoute>

    init(_ route: AnyRoute) {
        unmanaged = .passUnretained(route)
    }

    var route: AnyRoute { unmanaged.takeUnretainedValue() }

    @inline(__always)
    func lend(_ body: (AnyRoute) -> Void) { unmanaged._withUnsafeGuaranteedRef(body) }

    @inline(__always)
    var isReducersOnly: Bool { unmanaged._withUnsafeGuaranteedRef { $0.isReducersOnly } }

    /// Runs all reducers.
    ///
    /// - Returns: Whether a reader waits for one of their states.
    @inline(__always)
    func reduce<A: Relux.Action>(_ action: A) -> Bool {
        unmanaged._withUnsafeGuaranteedRef { $0.route(for: A.self).reduce(action) }
    }

    @inline(__always)
    func wakeReaders() { unmanaged._withUnsafeGuaranteedRef { $0.wakeReaders() } }
}
