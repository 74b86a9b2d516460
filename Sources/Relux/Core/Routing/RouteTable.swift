/// The routes of a scope, by type of action.
///
/// Not copyable, because it retains its routes by hand: the map lends references to them without retaining them.
struct RouteTable: ~Copyable {
    private var routes = SerialMap<RouteReference>()
    private var lastSerial: UInt64 = 0

    deinit {
        routes.forEach { $0.release() }
    }

    /// The route of a type of action; nil if nothing takes it. Valid until the routes are next changed.
    @inline(__always)
    subscript<A: Relux.Action>(action: A.Type) -> RouteReference? { routes[ObjectIdentifier(action)] }

    /// The route of the actions with a type; nil if nothing takes them.
    subscript(key: ObjectIdentifier) -> AnyRoute? { routes[key]?.route }

    /// Creates the route of a type of action that has none.
    ///
    /// - Parameter address: The scope whose table this is; nil for the root.
    mutating func makeRoute<A: Relux.Action>(for action: A.Type, in address: ScopeAddress?) -> Route<A> {
        lastSerial += 1
        let route = Route<A>(serial: lastSerial, in: address)
        routes.set(ObjectIdentifier(action), to: RouteReference(retaining: route))
        return route
    }

    mutating func remove(_ key: ObjectIdentifier) { routes.remove(key)?.release() }

    mutating func removeAll() {
        // Emptied first: what a route releases may come back here.
        var removed = SerialMap<RouteReference>()
        swap(&removed, &routes)
        removed.forEach { $0.release() }
    }

    func finishStreams() { routes.forEach { $0.lend { $0.finishStreams() } } }

    /// All routes, in order of creation.
    var inOrder: [AnyRoute] { routes.values.map { $0.route }.ascending { $0.serial } }

    /// The types of actions that have a route.
    var keys: [ObjectIdentifier] { inOrder.map { $0.key } }

    var count: Int { routes.count }
}

/// An unowned reference to a route, to use it without retaining it: a retain and release are a third of a dispatch.
///
/// Valid until the routes are next changed. No reducer, observer, or saga can do that during a step.
struct RouteReference {
    // Unmanaged: the table that returns this reference holds the route.
    private let unmanaged: Unmanaged<AnyRoute>

    /// Retains a route until ``release()``. Only for the table.
    fileprivate init(retaining route: AnyRoute) {
        unmanaged = .passRetained(route)
    }

    fileprivate func release() { unmanaged.release() }

    var route: AnyRoute { unmanaged.takeUnretainedValue() }

    @inline(__always)
    func lend(_ body: (AnyRoute) -> Void) { unmanaged._withUnsafeGuaranteedRef(body) }

    @inline(__always)
    var isReducersOnly: Bool { unmanaged._withUnsafeGuaranteedRef { $0.isReducersOnly } }

    @inline(__always)
    func takesPlainEffect(promising output: Any.Type?) -> Bool {
        unmanaged._withUnsafeGuaranteedRef { $0.takesPlainEffect(promising: output) }
    }

    var isTaken: Bool { unmanaged._withUnsafeGuaranteedRef { $0.isTaken } }

    var hasStreams: Bool { unmanaged._withUnsafeGuaranteedRef { !$0.streams.isEmpty } }

    @inline(__always)
    var isPlain: Bool { unmanaged._withUnsafeGuaranteedRef { $0.isPlain } }

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
