/// A scope: the root of a store or one instance of a module, with everything that is registered in it.
///
/// As a source, it changes when it is closed.
///
/// - Isolation: The core's.
/// - Lifetime: The scope around it holds it until it is closed. Whatever else refers to it then refers to nothing.
final class ScopeNode: Source {
    /// Nil for the root, and after the scope was closed.
    private(set) var parent: ScopeNode?
    /// Nil for the root.
    let address: ScopeAddress?
    /// The instances of the same module in the scope around this one; nil for the root.
    private(set) var group: InstanceGroup?
    var isOpen: Bool { !isGone }
    /// Unique in the store, and higher for later instances; 0 for the root, and before anything is connected inside.
    var serial: UInt64 = 0
    /// By type of action.
    // exclusivity(unchecked), here and in `Route.bindings`, which every action passes: no access spans a call of user
    // code that could come back here.
    @exclusivity(unchecked) private(set) var routes: [ObjectIdentifier: Route] = [:]
    /// The routes of handlers in an instance that listen to the scopes around it, by type of action.
    private var listening: [ObjectIdentifier: Route] = [:]
    /// By type of state.
    var cells: [ObjectIdentifier: AnyStateCell] = [:]
    /// The modules without an id, by type.
    var modules: [ObjectIdentifier: ModuleRegistration] = [:]
    /// The registration of the module whose instance this is; nil for the root.
    var registration: ModuleRegistration?
    /// The instances in this scope, by the types of their modules.
    private(set) var groups: [ObjectIdentifier: InstanceGroup] = [:]
    /// What readers have looked for here in vain, by type of state or module.
    private(set) var absences: [ObjectIdentifier: Source] = [:]
    /// The streams that were created in an instance, which end with it, wherever their actions are taken.
    var streams = ArrivalList<any AnyStreamBuffer>()

    /// Creates the root.
    init() {
        address = nil
        super.init(in: 0)
    }

    /// Creates an instance, which is not connected with the scope around it yet.
    init(of module: any Relux.Module.Type, id: AnySendableHashable, in parent: ScopeNode) {
        self.parent = parent
        address = ScopeAddress(of: module, id: id, in: parent.address)
        super.init(in: parent.serial)
    }

    var isRoot: Bool { address == nil }

    /// The scope as records name it; nil for the root.
    func name(in core: Core) -> Relux.Scope? { address.map { Relux.Scope(core, $0) } }

    /// The scope and those around it, from the inside out.
    var outward: UnfoldFirstSequence<ScopeNode> { sequence(first: self) { $0.parent } }

    /// The root of the store; for an instance that was closed, itself.
    var root: ScopeNode { outward.first(where: \.isRoot) ?? self }

    /// The instances inside this scope, and those inside them, each before what it contains.
    var descendants: [ScopeNode] {
        var found: [ScopeNode] = []
        var open = [self]
        while let scope = open.popLast() {
            if scope !== self { found.append(scope) }
            guard !scope.groups.isEmpty else { continue }
            open += scope.groups.values.flatMap(\.inOrder).sorted { $0.serial > $1.serial }
        }
        return found
    }

    /// The modules that are registered directly in the scope, in order. In an instance, its own module is the first.
    var ownRegistrations: [ModuleRegistration] {
        ([registration].compactMap { $0 } + modules.values).sorted { $0.generation < $1.generation }
    }

    /// A module that is registered directly in the scope.
    ///
    /// - Parameter id: The id of the instance; nil for a module without one.
    func registration(of module: any Relux.Module.Type, id: AnySendableHashable?) -> ModuleRegistration? {
        guard let id else { return modules[ObjectIdentifier(module)] }
        return group(of: module)?.instance(id)?.registration
    }

    /// All modules that are registered in the scope and in the instances inside it, in order.
    var registrations: [ModuleRegistration] {
        ([self] + descendants).flatMap(\.ownRegistrations).sorted { $0.generation < $1.generation }
    }

    // MARK: Opening and closing

    /// Makes an instance visible from the scope around it.
    func open(as registration: ModuleRegistration, in core: isolated Core) {
        guard let parent, let address else { return }
        let group = parent.makeGroup(of: address.module)
        self.group = group
        self.registration = registration
        address.node = self
        group.insert(self)
        core.wakeReaders(of: group)
        if group.count == 1 { core.wakeReaders(of: parent.endAbsence(of: ObjectIdentifier(address.module))) }
    }

    /// Ends everything that still refers to an instance. What was registered in it must have been disconnected.
    func close(in core: isolated Core) {
        for route in listening.values { stopListening(route) }
        core.finishStreams(of: self)
        for source in [self] + Array(absences.values) + Array(groups.values) {
            source.noteRemoval()
            core.wakeReaders(of: source)
        }
        (routes, listening, groups, absences, modules) = ([:], [:], [:], [:], [:])
        address?.node = nil
        if let group {
            group.remove(self)
            core.wakeReaders(of: group)
            parent?.removeIfUnused(group)
        }
        (group, parent, registration) = (nil, nil, nil)
    }

    /// Removes everything from the root, because the store has ended.
    func removeAll() {
        noteRemoval()
        (routes, groups, modules) = ([:], [:], [:])
    }

    // MARK: Readers

    /// The source of a state or an instance that isn't here now. Its readers are woken when that appears.
    func absence(of key: ObjectIdentifier) -> Source {
        if let existing = absences[key] { return existing }
        let absence = Source(in: serial)
        absences[key] = absence
        return absence
    }

    func endAbsence(of key: ObjectIdentifier) -> Source? {
        guard !absences.isEmpty, let absence = absences.removeValue(forKey: key) else { return nil }
        absence.noteRemoval()
        return absence
    }

    // MARK: Instances

    /// The instances of a module in this scope, or what is awaited of them.
    func group(of module: any Relux.Module.Type) -> InstanceGroup? { groups[ObjectIdentifier(module)] }

    /// The group of a module in this scope, created if there is none.
    func makeGroup(of module: any Relux.Module.Type) -> InstanceGroup {
        if let existing = group(of: module) { return existing }
        let group = InstanceGroup(of: module, in: self)
        groups[ObjectIdentifier(module)] = group
        return group
    }

    /// Removes a group without instances, of which nothing is awaited.
    func removeIfUnused(_ group: InstanceGroup) {
        if group.isUnused { groups[ObjectIdentifier(group.module)] = nil }
    }

    /// The instances of a module in the innermost scope, from this one outward, that has any.
    func innermostGroup(of module: any Relux.Module.Type) -> InstanceGroup? {
        for scope in outward {
            if let group = scope.group(of: module), !group.isEmpty { return group }
        }
        return nil
    }

    // MARK: Routes

    /// The route of a type of action, created if there is none.
    func makeRoute(for action: any Relux.Action.Type) -> Route {
        if let existing = routes[ObjectIdentifier(action)] { return existing }
        let route = Route(of: action, in: self)
        routes[ObjectIdentifier(action)] = route
        if let child = route.childAction {
            makeGroup(of: child.module).outwardRoutes[ObjectIdentifier(child.innerType)] = route
        }
        return route
    }

    func removeIfUnused(_ route: Route) {
        guard route.isUnused else { return }
        if routes[route.key] === route {
            routes[route.key] = nil
            guard let child = route.childAction, let group = group(of: child.module) else { return }
            group.outwardRoutes[ObjectIdentifier(child.innerType)] = nil
            removeIfUnused(group)
        } else if listening[route.key] === route {
            stopListening(route)
            listening[route.key] = nil
        }
    }

    // MARK: Listening

    /// The route of the handlers in an instance that listen to a type of action, created if there is none.
    func makeListeningRoute(for action: any Relux.Action.Type) -> Route {
        if let existing = listening[ObjectIdentifier(action)] { return existing }
        let route = Route(of: action, in: self)
        listening[ObjectIdentifier(action)] = route
        return route
    }

    /// Lets what listens in this scope and in the instances inside it hear the innermost scope with a taker. Called
    /// when what an instance takes has changed: the root hears what nothing takes, so its own handlers make no
    /// difference.
    func updateListeners() {
        guard !isRoot, !listening.isEmpty || !groups.isEmpty else { return }
        for scope in [self] + descendants {
            for route in scope.listening.values { scope.listen(route) }
        }
    }

    private func listen(_ route: Route) {
        let taker = handlingScope(of: route.action).scope
        let heard = (taker.handles(route.action) ? taker : root).makeRoute(for: route.action)
        guard heard !== route.heard else { return }
        stopListening(route)
        route.heard = heard
        heard.add(listener: route)
    }

    private func stopListening(_ route: Route) {
        guard let heard = route.heard.take() else { return }
        heard.remove(listener: route)
        heard.scope.removeIfUnused(heard)
    }

    // MARK: Dismissal

    /// The route that dismisses this instance: its only reducer removes the instance from the state that has opened it.
    ///
    /// - Parameter regular: What takes dismissals as any other action.
    /// - Returns: Nil if the instance can't be dismissed.
    func dismissalRoute(heardBy regular: Route?) -> Route? {
        guard let parent, let registration else { return nil }
        let bindings = parent.ownRegistrations.lazy.flatMap(\.children)
        guard let dismissal = bindings.compactMap({ $0.dismissal(of: registration) }).first else { return nil }
        let route = Route(of: Relux.Dismissal.self, in: parent)
        route.add(dismissal)
        for listener in [regular].compactMap({ $0 }) + (regular?.listeners ?? []) { route.add(listener: listener) }
        return route
    }

    // MARK: Lexical lookup

    /// The innermost scope, from this one outward, whose modules take a type of action. If there is none, this scope.
    ///
    /// - Returns: The scope, and its route for the action, if there is one.
    func handlingScope(of action: any Relux.Action.Type) -> (scope: ScopeNode, route: Route?) {
        let key = ObjectIdentifier(action)
        for scope in outward {
            if let route = scope.routes[key], route.isTaken { return (scope, route) }
        }
        return (self, routes[key])
    }

    /// Whether a module in this very scope takes a type of action.
    func handles(_ action: any Relux.Action.Type) -> Bool { routes[ObjectIdentifier(action)]?.isTaken == true }

    /// The modules in this very scope that take a type of action.
    func handlers(of action: any Relux.Action.Type) -> [any Relux.Module.Type] {
        guard let route = routes[ObjectIdentifier(action)] else { return [] }
        return ownRegistrations.filter { $0.routes.contains { $0 === route } }.map(\.module)
    }

    /// The scope that an action dispatched here goes to: the one that takes it. If none does, and none takes it as an
    /// action of this instance either, the innermost one, from here outward, that has a stream of it; otherwise this
    /// one.
    ///
    /// - Returns: The scope, and its route for the action, if there is one.
    func destination<A: Relux.Action>(of action: A.Type) -> (scope: ScopeNode, route: Route?) {
        if let route = routes[ObjectIdentifier(action)], route.isTaken { return (self, route) }
        let found = handlingScope(of: action)
        guard found.route?.isTaken != true, group?.outwardRoute(for: action) == nil else { return found }
        // What only listeners take goes to the root.
        let root = root
        if let route = root.routes[ObjectIdentifier(action)], !route.listeners.isEmpty { return (root, route) }
        for scope in outward {
            if let route = scope.routes[ObjectIdentifier(action)], !route.streams.isEmpty { return (scope, route) }
        }
        return found
    }

    /// The cell of a state in the innermost scope that owns it.
    func cell(of state: ObjectIdentifier) -> AnyStateCell? {
        for scope in outward {
            if let cell = scope.cells[state] { return cell }
        }
        return nil
    }
}
