/// The instances of one module in one scope, and what modules of that scope take of their actions.
///
/// - Isolation: The core's.
class AnyInstanceGroup {
    /// Identifies the group in its store.
    let serial: UInt64
    /// The routes of the scope around the instances for their actions, by the type of the inner action.
    private var outwardRoutes = SerialMap<AnyOutwardRoute>()
    /// The readers that wait for an instance to appear or to disappear.
    final var readers = WaiterList<Void>()
    /// Grows with each instance that appears or disappears.
    final fileprivate(set) var version: UInt64 = 0

    let module: any Relux.Module.Type
    /// The scope around the instances, which holds this group.
    unowned let scope: ScopeNode

    fileprivate init(of module: any Relux.Module.Type, in scope: ScopeNode, serial: UInt64) {
        (self.module, self.scope, self.serial) = (module, scope, serial)
    }

    var count: Int { 0 }
    /// The instances, in the order in which they were registered. O(n log n) after a change, otherwise O(1).
    var inOrder: [ScopeNode] { [] }

    final var isEmpty: Bool { count == 0 }
    final var isUnused: Bool { isEmpty && outwardRoutes.isEmpty && readers.isEmpty }

    func node(for id: AnySendableHashable) -> ScopeNode? { nil }

    /// Adds an open instance.
    func insert(_ node: ScopeNode) {}

    func remove(_ node: ScopeNode) {}

    // MARK: Outward

    final var hasOutwardRoutes: Bool { !outwardRoutes.isEmpty }

    /// What modules of the scope around the instances take of an action that an instance takes.
    final func outwardRoute<A: Relux.Action>(for action: A.Type) -> OutwardRoute<A>? {
        // unsafeDowncast: `add` stores each route by the type of its inner action.
        outwardRoutes[ObjectIdentifier(action)].map { unsafeDowncast($0, to: OutwardRoute<A>.self) }
    }

    final func add<A: Relux.Action>(_ route: OutwardRoute<A>) {
        outwardRoutes.set(ObjectIdentifier(A.self), to: route)
        for node in inOrder { node.hasOutwardRoutes = true }
    }

    final func removeOutwardRoute(for action: any Relux.Action.Type) {
        outwardRoutes.remove(ObjectIdentifier(action))
        for node in inOrder { node.hasOutwardRoutes = hasOutwardRoutes }
    }

    // MARK: Readers

    /// The states of a type in all instances, as a version that changes whenever one of them does.
    final func mark(of state: ObjectIdentifier) -> StateMark {
        StateMark(serial: serial, version: cells(of: state).reduce(version) { $0 &+ $1.version })
    }

    final func cells(of state: ObjectIdentifier) -> [AnyStateCell] {
        inOrder.compactMap { $0.states.cell(of: state) }
    }
}

final class InstanceGroup<M: Relux.Module & Identifiable>: AnyInstanceGroup {
    private var nodes: [M.ID: ScopeNode] = [:]
    private var sorted: [ScopeNode]?

    init(in scope: ScopeNode, serial: UInt64) {
        super.init(of: M.self, in: scope, serial: serial)
    }

    override var count: Int { nodes.count }

    override var inOrder: [ScopeNode] {
        if let sorted { return sorted }
        let new = Array(nodes.values).ascending { $0.serial }
        sorted = new
        return new
    }

    /// The ids of the instances, in the order in which they were registered.
    var ids: [(id: M.ID, scope: ScopeNode)] {
        inOrder.compactMap { node in id(of: node).map { ($0, node) } }
    }

    override func node(for id: AnySendableHashable) -> ScopeNode? {
        id.value(as: M.ID.self).flatMap { nodes[$0] }
    }

    func node(for id: M.ID) -> ScopeNode? { nodes[id] }

    private func id(of node: ScopeNode) -> M.ID? { node.address?.id.value(as: M.ID.self) }

    override func insert(_ node: ScopeNode) {
        guard let id = id(of: node) else { return }
        nodes[id] = node
        // New instances have the highest serial number.
        sorted?.append(node)
        version &+= 1
        readers.fire()
    }

    override func remove(_ node: ScopeNode) {
        guard let id = id(of: node) else { return }
        nodes[id] = nil
        sorted = nil
        // More than the versions of its states, which are no longer added.
        version &+= 1 << 32
        readers.fire()
    }
}
