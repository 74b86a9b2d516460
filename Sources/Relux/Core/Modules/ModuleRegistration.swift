/// One registered module, or one instance of a module: who holds it, and what it has connected.
///
/// - Isolation: The core's.
final class ModuleRegistration {
    /// What keeps a module registered.
    struct Holder: Hashable {
        enum Kind {
            /// It was registered by name.
            case name
            case lease
            /// A state has it as a child.
            case children
            /// Another module needs it.
            case module
        }

        let kind: Kind
        /// The number of the lease, of the ``ChildrenBinding``, or of the other module's generation, which differ from
        /// each other; 0 for a name.
        let number: UInt64

        static let name = Holder(kind: .name, number: 0)
    }

    let module: any Relux.Module.Type
    /// The id of the instance; nil for a module without one.
    var id: AnySendableHashable? { instance?.address?.id }
    /// Unique in the store. Later registrations have higher numbers. A module that is registered again is a new
    /// generation.
    private(set) var generation: UInt64 = 0
    /// The scope that the module opens; nil for a module without an id.
    let instance: ScopeNode?
    /// The scope in which the module is registered, which holds this until it is closed.
    unowned let scope: ScopeNode
    /// The modules that this one needs, by `dependencies` or `requires`.
    var needs: [ModuleRegistration] = []
    /// What holds the module, and how often.
    private(set) var holders: [Holder: Int] = [:]
    private(set) var isConnected = false

    // What the module has added to the store.
    var cells: [AnyStateCell] = []
    /// The routes of its reducers, sagas and flows.
    var routes: [Route] = []
    var runners: [SagaRunner] = []
    var watchers: [(id: SagaID, watcher: any Relux.Watcher)] = []
    var children: [any AnyChildrenBinding] = []
    /// The reducers that it lists.
    var reducers: [Relux.Reducer] = []
    /// The states on whose changes it has rules.
    var ruledCells: [AnyStateCell] = []
    /// The actions that it takes in an instance, without saying that this is meant.
    var lexicalActions: [any Relux.Action.Type] = []
    /// What saves its states.
    var savings: [Saving] { cells.compactMap(\.saving) }

    init(_ module: any Relux.Module.Type, in scope: ScopeNode, opening instance: ScopeNode?) {
        (self.module, self.scope, self.instance) = (module, scope, instance)
    }

    /// The scope in which everything that the module lists is registered.
    var content: ScopeNode { instance ?? scope }

    /// The numbers of its sagas, flows, and watchers.
    var sagas: [SagaID] { runners.map(\.id) + watchers.map(\.id) }

    /// The numbers of its sagas, flows, or watchers of a type.
    func sagas(of type: Any.Type) -> [SagaID] {
        runners.filter { $0.saga == type }.map(\.id)
            + watchers.filter { Swift.type(of: $0.watcher) == type }.map(\.id)
    }

    /// The module, and for one that opens an instance everything in that, each after what it contains.
    var contents: [ModuleRegistration] {
        guard let instance, !instance.groups.isEmpty || !instance.modules.isEmpty else { return [self] }
        return instance.registrations.reversed()
    }

    // MARK: Needs

    func connect(as generation: UInt64) {
        self.generation = generation
        isConnected = true
        for need in needs { need.hold(Holder(kind: .module, number: generation)) }
    }

    /// Undoes ``connect(as:)``.
    func disconnect() {
        isConnected = false
        for need in needs { need.release(Holder(kind: .module, number: generation)) }
    }

    /// Removes its rules from the states on whose changes they are.
    func disconnectChangeRules() {
        for cell in ruledCells { cell.rules.removeAll { $0.owner === self } }
        ruledCells = []
    }

    // MARK: Holders

    func hold(_ holder: Holder) { holders[holder, default: 0] += 1 }

    /// - Returns: Whether it was there.
    @discardableResult
    func release(_ holder: Holder) -> Bool {
        guard let count = holders[holder] else { return false }
        holders[holder] = count > 1 ? count - 1 : nil
        return true
    }

    /// The generations of the modules that need this one, in order.
    var dependents: [UInt64] {
        holders.keys.filter { $0.kind == .module }.map(\.number).sorted()
    }

    /// Whether anything keeps the module that wouldn't go with it.
    ///
    /// A name, a lease, or a state around an instance always does. Modules that need this one may go along themselves.
    /// What would go is found by leaving out, again and again, what something else keeps. Everything in an instance
    /// goes with it, whatever holds it.
    ///
    /// - Complexity: O(1) for a module that is held by anything but modules; otherwise O(n · d) in the number of
    ///   instances and modules inside, and the depth to which children have children.
    var isNeeded: Bool {
        guard !holders.isEmpty else { return false }
        guard isHeldByModules, instance != nil || !children.isEmpty else { return true }
        var going = goingAlong
        while going[ObjectIdentifier(self)] != nil {
            let numbers = Set(going.values.flatMap { [$0.generation] + $0.children.map(\.number) })
            let kept = going.values.filter { candidate in
                let isContained = candidate.scope.registration.map { going[ObjectIdentifier($0)] != nil } ?? false
                return !isContained && !candidate.holders.keys.allSatisfy { numbers.contains($0.number) }
            }
            guard !kept.isEmpty else { return false }
            for registration in kept {
                // What it contains stays with it.
                for content in registration.contents { going[ObjectIdentifier(content)] = nil }
            }
        }
        return true
    }

    /// The module, everything in its instance, and the children of all their states.
    private var goingAlong: [ObjectIdentifier: ModuleRegistration] {
        var going: [ObjectIdentifier: ModuleRegistration] = [:]
        var open = [self]
        while let next = open.popLast() {
            guard going[ObjectIdentifier(next)] == nil else { continue }
            going[ObjectIdentifier(next)] = next
            open += next.contents.filter { $0 !== next } + next.children.flatMap(\.held)
        }
        return going
    }

    /// Whether it is held as the child of a state, or by a lease, and not by name.
    var isChild: Bool { holders[.name] == nil && !isHeldByModules }

    /// Whether nothing but modules holds it.
    private var isHeldByModules: Bool { holders.keys.allSatisfy { $0.kind == .module } }
}
