/// A scope: the root of a store or one instance of a module. It knows its place in the tree, and has slots, in which
/// the parts above keep what they own of it.
///
/// - Isolation: The core's.
/// - Lifetime: The scope around it holds it until it is closed. Whatever else refers to it then refers to nothing.
final class ScopeNode {
    /// Nil for the root, and after the scope was closed.
    private(set) var parent: ScopeNode?
    /// Nil for the root.
    let address: ScopeAddress?
    /// The instances of the same module in the scope around this one; nil for the root, and unless it is open.
    private(set) var group: InstanceGroup?
    /// False once it was closed.
    private(set) var isOpen = true
    /// Unique in the store, and higher for later instances, and for those inside it; 0 for the root.
    let serial: UInt64
    /// How much in the scope, and in the instances inside it, listens to the scopes around an instance.
    private(set) var listenerCount = 0
    // exclusivity(unchecked): no access spans a call of user code that could come back here.
    @exclusivity(unchecked) private var slots = NumberMap<AnyObject>()
    /// The instances in this scope, by the types of their modules.
    private var groups = NumberMap<InstanceGroup>()

    /// Creates the root.
    init() { (address, serial) = (nil, 0) }

    /// Creates an instance, which is not connected with the scope around it yet.
    ///
    /// - Parameter serial: A number that is higher than all before.
    init(of module: any Relux.Module.Type, id: AnySendableHashable, in parent: ScopeNode, numbered serial: UInt64) {
        (self.parent, self.serial) = (parent, serial)
        address = ScopeAddress(of: module, id: id, in: parent.address)
    }

    var isRoot: Bool { address == nil }

    /// The scope as records name it; nil for the root.
    func name(in core: Core) -> Relux.Scope? { address.map { Relux.Scope(core, $0) } }

    // MARK: Slots

    /// The object that a part keeps in this scope.
    subscript(slot: Slot) -> AnyObject? {
        get { slots[slot.number] }
        set { slots[slot.number] = newValue }
    }

    /// Everything that is kept in this scope, in no particular order.
    var contents: [AnyObject] { slots.values }

    /// Whether anything in the scope, or in the instances inside it, listens to the scopes around an instance.
    var hasListeners: Bool { listenerCount > 0 }

    func noteListeners(_ change: Int) { listenerCount += change }

    // MARK: The tree

    /// The scope and those around it, from the inside out.
    var outward: UnfoldFirstSequence<ScopeNode> { sequence(first: self) { $0.parent } }

    /// The root of the store; for an instance that was closed, itself.
    var root: ScopeNode { outward.reduce(self) { _, scope in scope } }

    var hasInstances: Bool { !groups.isEmpty }

    /// The scope, the instances inside it, and those inside them, each before what it contains.
    var subtree: [ScopeNode] {
        guard hasInstances else { return [self] }
        var found: [ScopeNode] = []
        var open = [self]
        while let scope = open.popLast() {
            found.append(scope)
            open += scope.groups.values.flatMap(\.inOrder).sorted { $0.serial > $1.serial }
        }
        return found
    }

    /// Makes an instance visible from the scope around it.
    func open() {
        guard let parent, let address else { return }
        let group = parent.makeGroup(of: address.module)
        self.group = group
        address.node = self
        group.insert(self)
    }

    /// Takes an instance out of the scope around it, or ends the root with its store. What was kept in it is released.
    func close() {
        isOpen = false
        (slots, groups) = (NumberMap(), NumberMap())
        address?.node = nil
        group?.remove(self)
        (group, parent) = (nil, nil)
    }

    // MARK: Instances

    /// The instances of a module in this scope, or what is kept for them.
    func group(of module: any Relux.Module.Type) -> InstanceGroup? { groups[Slot.number(of: module)] }

    /// The group of a module in this scope, created if there is none.
    func makeGroup(of module: any Relux.Module.Type) -> InstanceGroup {
        if let existing = group(of: module) { return existing }
        let group = InstanceGroup(of: module, in: self)
        groups[Slot.number(of: module)] = group
        return group
    }

    /// Removes a group without instances, for which nothing is kept.
    func removeIfUnused(_ group: InstanceGroup) {
        if group.isEmpty, group.outward.isEmpty { groups[Slot.number(of: group.module)] = nil }
    }

    /// The instances of a module in the innermost scope, from this one outward, that has any, or awaits the one with
    /// the id.
    func innermostGroup(of module: any Relux.Module.Type, for id: AnySendableHashable) -> InstanceGroup? {
        outward.lazy.compactMap { $0.group(of: module) }.first { $0.hasInstances || $0.loads(of: id) != nil }
    }
}

/// The place of an object in a scope: what it is there, and the type that it is there for.
struct Slot {
    /// The role of an object in its scope. At most eight.
    enum Role: UInt64 {
        /// A route, by the type of its actions.
        case route
        /// The route of handlers that listen to the scopes around an instance, by the type of its actions.
        case listening
        /// A state, by its type.
        case state
        /// The absence of a state, by its type.
        case missedState
        /// The instances of a module as something that is read, by its type.
        case readInstances
        /// A module without an id, by its type.
        case module
        /// An object of which a scope has one, by the type of the object.
        case single
    }

    /// Unique among the slots of a scope, and never 0.
    let number: UInt64

    init(_ role: Role, for type: Any.Type) { number = Self.number(of: type) | role.rawValue }

    // The address of the type's metadata, with three bits to spare.
    static func number(of type: Any.Type) -> UInt64 { UInt64(UInt(bitPattern: ObjectIdentifier(type))) &<< 3 }
}
