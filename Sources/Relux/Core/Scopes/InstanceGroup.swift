/// The instances of one module in one scope, and what modules of that scope take of their actions.
///
/// - Isolation: The core's.
final class InstanceGroup {
    /// Identifies the group in its store.
    let serial: UInt64
    let module: any Relux.Module.Type
    /// The scope around the instances, which holds this group.
    unowned let scope: ScopeNode
    /// The instances by the hashes of their ids, and their number. Those with the same hash are linked.
    // The ids are in the addresses already. A dictionary would store each of them again, in 40 bytes.
    private var nodes = SerialMap<ScopeNode>()
    private(set) var count = 0
    private var sorted: [ScopeNode]?
    /// The routes of the scope around the instances for their actions, by the type of the inner action.
    private var outwardRoutes = SerialMap<AnyOutwardRoute>()
    /// The readers that wait for an instance to appear or to disappear.
    var readers = WaiterList<Void>()
    /// Grows with each instance that appears or disappears.
    private(set) var version: UInt64 = 0

    init(of module: any Relux.Module.Type, in scope: ScopeNode, serial: UInt64) {
        (self.module, self.scope, self.serial) = (module, scope, serial)
    }

    // MARK: Instances

    var isEmpty: Bool { count == 0 }
    var isUnused: Bool { isEmpty && outwardRoutes.isEmpty && readers.isEmpty }

    /// The instances, in the order in which they were registered. O(n log n) after a change, otherwise O(1).
    var inOrder: [ScopeNode] {
        if let sorted { return sorted }
        var new: [ScopeNode] = []
        nodes.forEach { node in
            var next: ScopeNode? = node
            while let node = next {
                new.append(node)
                next = node.nextOfSameHash
            }
        }
        new = new.ascending { $0.serial }
        sorted = new
        return new
    }

    /// - Parameter id: Of the type of the module's ids.
    func node(for id: AnySendableHashable) -> ScopeNode? {
        var next = nodes[hash(of: id)]
        while let node = next, node.address?.id != id { next = node.nextOfSameHash }
        return next
    }

    /// A hash that can be a key of the map.
    private func hash(of id: AnySendableHashable) -> UInt64 { max(UInt64(UInt(bitPattern: id.hashValue)), 1) }

    /// Adds an open instance, of whose id there is none.
    func insert(_ node: ScopeNode) {
        guard let id = node.address?.id else { return }
        let hash = hash(of: id)
        node.nextOfSameHash = nodes.remove(hash)
        nodes.set(hash, to: node)
        count += 1
        // New instances have the highest serial number.
        sorted?.append(node)
        version &+= 1
        readers.fire()
    }

    func remove(_ node: ScopeNode) {
        guard let id = node.address?.id else { return }
        let hash = hash(of: id)
        guard let first = nodes.remove(hash) else { return }
        if first !== node {
            var previous = first
            while let next = previous.nextOfSameHash, next !== node { previous = next }
            previous.nextOfSameHash = node.nextOfSameHash
            nodes.set(hash, to: first)
        } else if let next = node.nextOfSameHash {
            nodes.set(hash, to: next)
        }
        node.nextOfSameHash = nil
        count -= 1
        sorted = nil
        // More than the versions of its states, which are no longer added.
        version &+= 1 << 32
        readers.fire()
    }

    // MARK: Outward

    var hasOutwardRoutes: Bool { !outwardRoutes.isEmpty }

    /// What modules of the scope around the instances take of an action that an instance takes.
    func outwardRoute<A: Relux.Action>(for action: A.Type) -> OutwardRoute<A>? {
        // unsafeDowncast: `add` stores each route by the type of its inner action.
        outwardRoutes[ObjectIdentifier(action)].map { unsafeDowncast($0, to: OutwardRoute<A>.self) }
    }

    func add<A: Relux.Action>(_ route: OutwardRoute<A>) {
        outwardRoutes.set(ObjectIdentifier(A.self), to: route)
        for node in inOrder { node.hasOutwardRoutes = true }
    }

    func removeOutwardRoute(for action: any Relux.Action.Type) {
        outwardRoutes.remove(ObjectIdentifier(action))
        for node in inOrder { node.hasOutwardRoutes = hasOutwardRoutes }
    }

    // MARK: Readers

    /// The states of a type in all instances, as a version that changes whenever one of them does.
    func mark(of state: ObjectIdentifier) -> StateMark {
        StateMark(serial: serial, version: cells(of: state).reduce(version) { $0 &+ $1.version })
    }

    func cells(of state: ObjectIdentifier) -> [AnyStateCell] {
        inOrder.compactMap { $0.states.cell(of: state) }
    }
}
