/// A scope: the root of a store or one instance of a module, with everything that is registered in it.
///
/// - Isolation: The core's.
/// - Lifetime: The scope around it holds it until it is closed. Whatever else refers to it then refers to nothing.
final class ScopeNode {
    /// Nil for the root, and after the scope was closed.
    // exclusivity(unchecked), here and below: the core opens and closes no scope while it uses it. The checks would
    // cost a tenth of a dispatch, and a twelfth of opening an instance.
    @exclusivity(unchecked) private(set) var parent: ScopeNode?
    /// Nil for the root.
    let address: ScopeAddress?
    /// The instances of the same module in the scope around this one; nil for the root.
    @exclusivity(unchecked) private(set) var group: InstanceGroup?
    /// Another instance in the group whose id has the same hash. Changed by the group alone.
    @exclusivity(unchecked) var nextOfSameHash: ScopeNode?
    @exclusivity(unchecked) private(set) var isOpen = true
    /// Whether modules of the scope around this instance take any of its actions.
    @exclusivity(unchecked) var hasOutwardRoutes = false

    /// Unique in the store, and higher for later instances; 0 for the root.
    @exclusivity(unchecked) private(set) var serial: UInt64 = 0
    @exclusivity(unchecked) private(set) var routes = RouteTable()
    @exclusivity(unchecked) var states = StateTable()
    @exclusivity(unchecked) var modules = ModuleTable()
    /// The registration of the module whose instance this is; nil for the root.
    @exclusivity(unchecked) var registration: ModuleRegistration?
    /// The streams that were created in an instance, which end with it, wherever their actions are taken.
    private var streams: [any AnyStreamBuffer] = []
    /// The readers in an instance, which end with it, whatever they wait for.
    private var readers = WaiterList<Void>()
    @exclusivity(unchecked) private var groups = SerialMap<InstanceGroup>()

    /// Creates the root.
    init() {
        address = nil
    }

    /// Creates an instance, which is not connected with the scope around it yet.
    init(of module: any Relux.Module.Type, id: AnySendableHashable, in parent: ScopeNode) {
        self.parent = parent
        address = ScopeAddress(of: module, id: id, in: parent.address)
    }

    var isRoot: Bool { address == nil }

    /// The scope and those around it, from the inside out.
    // inline(never): this would otherwise be copied to each of its calls, and it allocates anyway.
    @inline(never)
    var outward: [ScopeNode] {
        var scopes = [self]
        while let next = scopes.last?.parent { scopes.append(next) }
        return scopes
    }

    // MARK: Instances

    /// The instances of a module in this scope, or what is awaited of them.
    func group(of module: any Relux.Module.Type) -> InstanceGroup? { groups[ObjectIdentifier(module)] }

    /// The group of a module in this scope, created if there is none.
    func makeGroup(of module: any Relux.Module.Type, in core: isolated Core) -> InstanceGroup {
        if let existing = group(of: module) { return existing }
        let group = InstanceGroup(of: module, in: self, serial: core.nextSerial())
        groups.set(ObjectIdentifier(module), to: group)
        return group
    }

    var groupCount: Int { groups.count }

    /// Removes a group without instances, of which nothing is awaited.
    func removeGroupIfUnused(_ group: InstanceGroup) {
        if group.isUnused { groups.remove(ObjectIdentifier(group.module)) }
    }

    /// The instances of a module in the innermost scope, from this one outward, that has any.
    func innermostGroup(of module: ObjectIdentifier) -> InstanceGroup? {
        for scope in outward {
            if let group = scope.groups[module], !group.isEmpty { return group }
        }
        return nil
    }

    /// The instances inside this scope, and those inside them, each before what it contains.
    var descendants: [ScopeNode] {
        var found: [ScopeNode] = []
        var open = [self]
        while let scope = open.popLast() {
            if scope !== self { found.append(scope) }
            guard !scope.groups.isEmpty else { continue }
            open += scope.groups.values.flatMap(\.inOrder).ascending { $0.serial }.reversed()
        }
        return found
    }

    // MARK: Opening and closing

    /// Makes an instance visible from the scope around it.
    func open(in group: InstanceGroup, as registration: ModuleRegistration, in core: isolated Core) {
        self.group = group
        hasOutwardRoutes = group.hasOutwardRoutes
        self.registration = registration
        serial = registration.generation
        address?.note(self, in: core)
    }

    /// Ends everything that still refers to the scope. What was registered in it must have been disconnected.
    func close(in core: isolated Core) {
        isOpen = false
        for stream in streams { stream.finish() }
        routes.finishStreams()
        routes.removeAll()
        groups.removeAll()
        streams = []
        readers.fire()
        address?.note(nil, in: core)
        if let group {
            group.remove(self)
            parent?.removeGroupIfUnused(group)
        }
        (group, parent, registration) = (nil, nil, nil)
    }

    // MARK: Routes

    /// The route of a type of action, created if there is none.
    func makeRoute<A: Relux.Action>(for action: A.Type, in core: isolated Core) -> Route<A> {
        if let existing = routes[ObjectIdentifier(action)] { return existing.route(for: action) }
        let route = routes.makeRoute(for: action, in: address)
        route.childAction?.connect(route, in: core, self)
        return route
    }

    func removeRouteIfUnused(_ key: ObjectIdentifier, in core: isolated Core) {
        guard let route = routes[key], route.isUnused else { return }
        route.childAction?.disconnect(in: core, self)
        routes.remove(key)
    }

    /// Removes all routes and groups, because the store is being closed.
    func removeAll() {
        routes.removeAll()
        groups.removeAll()
    }

    // MARK: Streams and readers of an instance

    func add(_ stream: any AnyStreamBuffer) {
        if !isRoot { streams.append(stream) }
    }

    func remove(_ stream: any AnyStreamBuffer) {
        if !isRoot { streams.removeAll { $0 === stream } }
    }

    func add(reader signal: Signal) {
        if !isRoot { readers.append(signal, for: ()) }
    }

    func noteCancelledReader() {
        if !isRoot { readers.noteCancellation() }
    }

    // MARK: Lexical lookup

    /// The innermost scope, from this one outward, whose modules take a type of action. If there is none, this scope.
    ///
    /// - Returns: The scope, and its route for the action, if there is one.
    func taker<A: Relux.Action>(of action: A.Type) -> (scope: ScopeNode, route: RouteReference?) {
        var scope = self
        while true {
            if let route = scope.routes[action], route.isTaken { return (scope, route) }
            guard let parent = scope.parent else { return (self, routes[action]) }
            scope = parent
        }
    }

    /// The scope that an action dispatched here goes to: the one that takes it. If none does, and none takes it as an
    /// action of this instance either, the innermost one, from here outward, that has a stream of it; otherwise this
    /// one.
    ///
    /// - Returns: The scope, and its route for the action, if there is one.
    func destination<A: Relux.Action>(of action: A.Type) -> (scope: ScopeNode, route: RouteReference?) {
        let found = taker(of: action)
        guard found.route?.isTaken != true, outwardRoute(for: action) == nil else { return found }
        var scope = self
        while true {
            if let route = scope.routes[action], route.hasStreams { return (scope, route) }
            guard let parent = scope.parent else { return found }
            scope = parent
        }
    }

    /// The route of an action that nothing around the scope that takes it takes as well; nil if that isn't certain.
    @inline(__always)
    func fastRoute<A: Relux.Action>(for action: A.Type) -> RouteReference? {
        hasOutwardRoutes ? nil : routes[action]
    }

    /// The cell of a state in the innermost scope that owns it.
    func cell<S: Relux.State>(of state: S.Type) -> StateCell<S>? {
        var next: ScopeNode? = self
        while let scope = next {
            if let cell = scope.states.cell(of: state) { return cell }
            next = scope.parent
        }
        return nil
    }

    /// The cell of a state that an iterator knows from before; nil if that is gone.
    func cell<S: Relux.State>(of state: S.Type, numbered serial: UInt64) -> StateCell<S>? {
        for scope in outward {
            if let cell = scope.states.cell(of: state), cell.serial == serial { return cell }
        }
        return nil
    }

    /// The cell of a state in the innermost scope that owns it.
    func cell(of state: ObjectIdentifier) -> AnyStateCell? {
        var next: ScopeNode? = self
        while let scope = next {
            if let cell = scope.states.cell(of: state) { return cell }
            next = scope.parent
        }
        return nil
    }

    /// All modules that are registered in the scope and in the instances inside it, in order.
    var registrations: [ModuleRegistration] {
        ([self] + descendants).flatMap { ($0.registration.map { [$0] } ?? []) + $0.modules.inOrder }
            .ascending { $0.generation }
    }

    /// Whether nothing else is registered in an instance.
    var isLeaf: Bool { groups.isEmpty && modules.isEmpty }

    /// Whether a module in the scope or in an instance inside it lists a saga, flow, or watcher of a type.
    ///
    /// - Complexity: O(n) in the number of sagas, flows, and watchers.
    func lists(saga: Any.Type) -> Bool { registrations.contains { $0.lists(saga: saga) } }

    /// The present version of something that was read; nil if it is not there.
    func mark(of subject: ReadLog.Subject) -> StateMark? {
        switch subject {
        case .state(let key): cell(of: key)?.mark
        case .instances(let module, let state): innermostGroup(of: module)?.mark(of: state)
        }
    }
}
