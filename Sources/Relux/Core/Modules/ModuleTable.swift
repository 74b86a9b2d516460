/// Which modules a store holds, and who needs each of them.
///
/// A value that records what is registered, owned, leased, and depended on. It also keeps what each module connected,
/// so that this can be disconnected again.
struct ModuleTable {
    typealias Key = ObjectIdentifier

    struct Registration {
        let module: any Relux.Module.Type
        /// Later registrations have higher numbers. A module that is registered again is a new generation.
        let generation: UInt64
        let dependencies: [Key]
        var dependents: Set<Key> = []
        /// How often the module was registered by name, minus how often it was unregistered.
        var owners = 0
        var leases: Set<UInt64> = []
        var connections = Connections()

        var isNeeded: Bool { owners > 0 || !leases.isEmpty || !dependents.isEmpty }
    }

    /// What a module has added to the store.
    struct Connections {
        var cells: [AnyStateCell] = []
        /// The types of actions whose routes the module takes part in.
        var routes: Set<ObjectIdentifier> = []
        var bindings: [(route: ObjectIdentifier, binding: AnyReducerBinding)] = []
        var runners: [AnySagaRunner] = []
        var watchers: [(id: SagaID, watcher: any Relux.Watcher)] = []

        /// The numbers of the sagas, flows, and watchers.
        var sagas: [SagaID] { runners.map(\.id) + watchers.map(\.id) }
    }

    private(set) var registrations: [Key: Registration] = [:]
    /// The owners of the states: searching all modules would make registering n modules O(n²).
    private var stateOwners: [ObjectIdentifier: any Relux.Module.Type] = [:]
    private var lastGeneration: UInt64 = 0
    private var lastLease: UInt64 = 0

    subscript(_ module: any Relux.Module.Type) -> Registration? { registrations[Key(module)] }

    /// All registrations, in order.
    var inOrder: [Registration] { registrations.values.sorted { $0.generation < $1.generation } }

    /// The module that owns a state.
    ///
    /// - Complexity: O(1).
    func owner(of state: any Relux.State.Type) -> (any Relux.Module.Type)? {
        stateOwners[ObjectIdentifier(state)]
    }

    /// Whether a module lists a saga, flow, or watcher of a type.
    ///
    /// - Complexity: O(n) in the number of sagas, flows, and watchers.
    func lists(saga: Any.Type) -> Bool {
        registrations.values.contains { registration in
            registration.connections.runners.contains { $0.saga == saga }
                || registration.connections.watchers.contains { type(of: $0.watcher) == saga }
        }
    }

    mutating func insert(_ blueprint: ModuleBlueprint, _ connections: Connections) {
        lastGeneration += 1
        let key = Key(blueprint.module)
        registrations[key] = Registration(
            module: blueprint.module, generation: lastGeneration, dependencies: blueprint.dependencyKeys,
            connections: connections
        )
        for cell in connections.cells { stateOwners[ObjectIdentifier(cell.state)] = blueprint.module }
        for dependency in blueprint.dependencyKeys { registrations[dependency]?.dependents.insert(key) }
    }

    mutating func addOwner(_ module: any Relux.Module.Type) {
        registrations[Key(module)]?.owners += 1
    }

    /// - Returns: The lease, and the generation that it holds.
    mutating func addLease(_ module: any Relux.Module.Type) -> (lease: UInt64, generation: UInt64) {
        lastLease += 1
        registrations[Key(module)]?.leases.insert(lastLease)
        return (lastLease, registrations[Key(module)]?.generation ?? 0)
    }

    /// Removes one owner.
    ///
    /// - Returns: Why that isn't possible; nil if it was.
    mutating func removeOwner(_ module: any Relux.Module.Type) -> Relux.Refusal.Reason? {
        let key = Key(module)
        guard let registration = registrations[key] else { return .moduleNotRegistered(module) }
        guard registration.owners > 0 else {
            guard registration.dependents.isEmpty else {
                let names = inOrder.filter { registration.dependents.contains(Key($0.module)) }.map(\.module)
                return .moduleStillNeeded(module, by: names)
            }
            return .moduleHeldByLeases(module, leases: registration.leases.count)
        }
        registrations[key]?.owners -= 1
        return nil
    }

    mutating func removeLease(_ lease: UInt64, of module: any Relux.Module.Type) {
        registrations[Key(module)]?.leases.remove(lease)
    }

    /// Removes the module if it is no longer needed, and then what only it needed. Dependents come first.
    mutating func removeUnneeded(from module: any Relux.Module.Type) -> [Registration] {
        var removed: [Registration] = []
        var open = [Key(module)]
        while let key = open.popLast() {
            guard let registration = registrations[key], !registration.isNeeded else { continue }
            registrations[key] = nil
            for cell in registration.connections.cells { stateOwners[ObjectIdentifier(cell.state)] = nil }
            removed.append(registration)
            for dependency in registration.dependencies {
                registrations[dependency]?.dependents.remove(key)
            }
            open.append(contentsOf: registration.dependencies.reversed())
        }
        return removed
    }

    /// Removes everything, dependents before what they need.
    mutating func removeAll() -> [Registration] {
        defer { (registrations, stateOwners) = ([:], [:]) }
        return inOrder.reversed()
    }
}
