/// One registered module, or one instance of a module: who needs it, and what it has connected.
///
/// - Isolation: The core's.
final class ModuleRegistration {
    let module: any Relux.Module.Type
    /// The id of the instance; nil for a module without one.
    var id: AnySendableHashable? { instance?.address?.id }
    /// Unique in the store. Later registrations have higher numbers. A module that is registered again is a new
    /// generation.
    // exclusivity(unchecked), here and below: the core calls no user code while it accesses these, and no access spans
    // another one. The checks would cost a twentieth of opening an instance.
    @exclusivity(unchecked) private(set) var generation: UInt64 = 0
    /// The scope that the module opens; nil for a module without an id.
    let instance: ScopeNode?
    /// The scope in which the module is registered.
    // unowned: the scope holds its registrations until it is closed.
    unowned let holder: ScopeNode
    /// The modules that this one needs, by `dependencies` or `requires`.
    @exclusivity(unchecked) private(set) var needs: [ModuleRegistration]
    /// The modules that need this one, by their generations.
    // Unmanaged: a module leaves this list when it is removed, in `ModuleRegistration.release`.
    @exclusivity(unchecked) private(set) var dependents: [UInt64: Unmanaged<ModuleRegistration>] = [:]
    /// How often the module was registered by name, minus how often it was unregistered.
    @exclusivity(unchecked) var owners = 0
    /// The leases, and the bindings of children, that hold the module.
    @exclusivity(unchecked) var holds = TinySet()
    @exclusivity(unchecked) var connections = Connections()
    @exclusivity(unchecked) private(set) var isConnected = false

    /// What a module has added to the store.
    struct Connections {
        var cells: [AnyStateCell] = []
        /// The types of the actions that the module reduces. An instance lists none: all routes of its scope may be
        /// concerned.
        var reduced: [ObjectIdentifier] = []
        var runners: [(route: ObjectIdentifier, runner: AnySagaRunner)] = []
        var watchers: [(id: SagaID, watcher: any Relux.Watcher)] = []
        var children: [AnyChildrenBinding] = []

        var hasSagas: Bool { !runners.isEmpty || !watchers.isEmpty }
        /// The numbers of the sagas, flows, and watchers.
        var sagas: [SagaID] { runners.map(\.runner.id) + watchers.map(\.id) }
    }

    init(
        _ module: any Relux.Module.Type, in holder: ScopeNode, opening instance: ScopeNode?,
        needing needs: [ModuleRegistration]
    ) {
        self.module = module
        self.holder = holder
        self.instance = instance
        self.needs = needs
    }

    /// Adds a module that this one needs, before this one is connected.
    func add(need: ModuleRegistration) { needs.append(need) }

    /// The scope in which everything that the module lists is registered.
    var content: ScopeNode { instance ?? holder }

    func lists(saga: Any.Type) -> Bool {
        connections.runners.contains { $0.runner.saga == saga }
            || connections.watchers.contains { type(of: $0.watcher) == saga }
    }

    /// The module, and for one that opens an instance everything in that, each after what it contains.
    var contents: [ModuleRegistration] {
        // Usually, nothing else is registered in an instance.
        guard let instance, !instance.isLeaf else { return [self] }
        return instance.registrations.reversed()
    }

    /// Replaces the modules that this one needs.
    ///
    /// - Returns: Those that it needed before.
    func replace(needs new: [ModuleRegistration]) -> [ModuleRegistration] {
        let old = needs
        for need in old { need.dependents[generation] = nil }
        needs = new
        for need in new { need.dependents[generation] = .passUnretained(self) }
        return old
    }

    /// Notes the module with those that it needs.
    func connect(as generation: UInt64) {
        self.generation = generation
        isConnected = true
        for need in needs { need.dependents[generation] = .passUnretained(self) }
    }

    /// Undoes ``connect(as:)``.
    // inline(never): this would otherwise be copied to each of its calls.
    @inline(never)
    func release() {
        isConnected = false
        for need in needs { need.dependents[generation] = nil }
    }

    /// The modules that need this one, in the order of their registration.
    var dependentModules: [any Relux.Module.Type] {
        dependents.values.map { $0.takeUnretainedValue() }.ascending { $0.generation }.map(\.module)
    }

    /// The instance in which the module is registered, or which it is, as reports name it; nil for the root.
    func scope(in core: isolated Core) -> Relux.Scope? {
        content.address.map { Relux.Scope(core, $0) }
    }
}
