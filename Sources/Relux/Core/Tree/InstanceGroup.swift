/// The instances of one module in one scope.
///
/// - Isolation: The core's.
final class InstanceGroup {
    let module: any Relux.Module.Type
    /// The scope around the instances, which holds this group.
    unowned let holder: ScopeNode
    private var instances: [AnySendableHashable: ScopeNode] = [:]
    private var ordered = ArrivalList<ScopeNode>()
    /// Objects of a part above for actions of the instances that modules of the holder take, by the types of these
    /// actions.
    var outward = NumberMap<AnyObject>()
    /// The instances that don't exist yet, with the states that registrations are loading for them, by their numbers.
    private var loads: [AnySendableHashable: [UInt64: [any Relux.State.Type]]] = [:]

    init(of module: any Relux.Module.Type, in holder: ScopeNode) { (self.module, self.holder) = (module, holder) }

    var hasInstances: Bool { !instances.isEmpty }

    /// Whether there are no instances, and none are awaited.
    var isEmpty: Bool { instances.isEmpty && loads.isEmpty }

    /// The instances, in the order in which they were registered. O(n).
    var inOrder: [ScopeNode] { ordered.elements }

    func instance(_ id: AnySendableHashable) -> ScopeNode? { instances[id] }

    /// The states that are being loaded for an instance; nil if it isn't being loaded.
    func loads(of id: AnySendableHashable) -> [any Relux.State.Type]? {
        loads[id].map { $0.sorted { $0.key < $1.key }.flatMap(\.value) }
    }

    /// - Parameter registration: The number of the registration that loads the states, or has loaded them.
    func setLoads(_ states: [any Relux.State.Type]?, of id: AnySendableHashable, by registration: UInt64) {
        loads[id, default: [:]][registration] = states
        if loads[id]?.isEmpty == true { loads[id] = nil }
        holder.removeIfUnused(self)
    }

    /// Adds an open instance, of whose id there is none.
    func insert(_ node: ScopeNode) {
        guard let id = node.address?.id else { return }
        instances[id] = node
        ordered.insert(node, as: node.serial)
    }

    func remove(_ node: ScopeNode) {
        guard let id = node.address?.id else { return }
        instances[id] = nil
        ordered.remove(node.serial)
        holder.removeIfUnused(self)
    }
}
