/// Which modules a store holds, and for whom.
///
/// A pure value: what is registered, owned, leased and depended on. What a module connected is kept beside it, so that
/// it can be taken out again.
struct ModuleTable {
    typealias Key = ObjectIdentifier

    struct Registration {
        let module: any Relux.Module.Type
        /// Later registrations have higher numbers; a module that comes back is another generation.
        let generation: UInt64
        let dependencies: [Key]
        var dependents: Set<Key> = []
        /// How often it was registered under its own name, less how often it was unregistered.
        var owners = 0
        var leases: Set<UInt64> = []
        var connections = Connections()

        var isNeeded: Bool { owners > 0 || !leases.isEmpty || !dependents.isEmpty }
    }

    /// What a module put into the store.
    struct Connections {
        var slots: [AnySlot] = []
        /// The types of action whose routes it has a part in.
        var routes: Set<ObjectIdentifier> = []
        var steps: [(route: ObjectIdentifier, step: AnyStep)] = []
        var responders: [RunTable.ResponderID] = []
        var watchers: [(id: RunTable.ResponderID, watcher: any Relux.Watcher)] = []
    }

    private(set) var registrations: [Key: Registration] = [:]
    /// The modules that own states, by these: to look for one among all modules would make registering all quadratic.
    private var stateOwners: [ObjectIdentifier: any Relux.Module.Type] = [:]
    private var lastGeneration: UInt64 = 0
    private var lastLease: UInt64 = 0

    subscript(_ module: any Relux.Module.Type) -> Registration? { registrations[Key(module)] }

    /// All registrations, in the order of their coming.
    var inOrder: [Registration] { registrations.values.sorted { $0.generation < $1.generation } }

    /// The module that owns a state.
    ///
    /// - Complexity: O(1), however many modules there are.
    func owner(of state: any Relux.State.Type) -> (any Relux.Module.Type)? {
        stateOwners[ObjectIdentifier(state)]
    }

    mutating func insert(_ blueprint: ModuleBlueprint, _ connections: Connections) {
        lastGeneration += 1
        let key = Key(blueprint.module)
        registrations[key] = Registration(
            module: blueprint.module, generation: lastGeneration, dependencies: blueprint.dependencyKeys,
            connections: connections
        )
        for slot in connections.slots { stateOwners[ObjectIdentifier(slot.state)] = blueprint.module }
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

    /// Takes one owner off.
    ///
    /// - Returns: Why that isn't possible, or nil.
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

    /// Takes out the module if nobody needs it any more, and then what only it needed; dependents come first.
    mutating func removeUnneeded(from module: any Relux.Module.Type) -> [Registration] {
        var removed: [Registration] = []
        var open = [Key(module)]
        while let key = open.popLast() {
            guard let registration = registrations[key], !registration.isNeeded else { continue }
            registrations[key] = nil
            for slot in registration.connections.slots { stateOwners[ObjectIdentifier(slot.state)] = nil }
            removed.append(registration)
            for dependency in registration.dependencies {
                registrations[dependency]?.dependents.remove(key)
            }
            open.append(contentsOf: registration.dependencies.reversed())
        }
        return removed
    }

    /// Takes out everything, dependents before what they need.
    mutating func removeAll() -> [Registration] {
        defer { (registrations, stateOwners) = ([:], [:]) }
        return inOrder.reversed()
    }
}
