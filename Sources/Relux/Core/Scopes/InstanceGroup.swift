/// The instances of one module in one scope, and what modules of that scope take of their actions.
///
/// - Isolation: The core's.
final class InstanceGroup {
    /// Identifies the group in its store.
    let serial: UInt64
    let module: any Relux.Module.Type
    /// The scope around the instances, which holds this group.
    unowned let scope: ScopeNode
    // By ids without their type: in unspecialised generic code, each access to a dictionary costs metadata lookups.
    private var nodes: [AnySendableHashable: ScopeNode] = [:]
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

    var count: Int { nodes.count }
    var isEmpty: Bool { nodes.isEmpty }
    var isUnused: Bool { isEmpty && outwardRoutes.isEmpty && readers.isEmpty }

    /// The instances, in the order in which they were registered. O(n log n) after a change, otherwise O(1).
    var inOrder: [ScopeNode] {
        if let sorted { return sorted }
        let new = Array(nodes.values).ascending { $0.serial }
        sorted = new
        return new
    }

    /// - Parameter id: Of the type of the module's ids.
    func node(for id: AnySendableHashable) -> ScopeNode? { nodes[id] }

    /// Adds an open instance.
    func insert(_ node: ScopeNode) {
        guard let id = node.address?.id else { return }
        nodes[id] = node
        // New instances have the highest serial number.
        sorted?.append(node)
        version &+= 1
        readers.fire()
    }

    func remove(_ node: ScopeNode) {
        guard let id = node.address?.id else { return }
        nodes[id] = nil
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
