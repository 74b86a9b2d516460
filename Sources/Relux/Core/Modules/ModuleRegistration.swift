/// One registered module, or one instance of a module: who holds it, and what it has connected.
///
/// - Isolation: The core's.
final class ModuleRegistration: Owner {
    /// The id of the instance; nil for a module without one.
    var id: AnySendableHashable? { instance?.address?.id }
    /// The modules that this one needs, by `dependencies` or `requires`.
    var needs: [ModuleRegistration] = []
    /// The holders of the module, and how often each holds it: leases and bindings of children, by their numbers, which
    /// differ from each other; nil if it was registered by name.
    private(set) var holders: [UInt64?: Int] = [:]
    /// The generations of the modules that need this one.
    private(set) var dependents: Set<UInt64> = []
    private(set) var isConnected = false

    // Everything that the module has added to the store.
    var cells: [AnyStateCell] = []
    /// The routes of its reducers, sagas, flows, and rules on actions, each once.
    var routes: [Route] = []
    /// Its sagas and flows.
    var runners: [SagaRunner] = []
    var watchers: [SagaRunner] = []
    var children: [any AnyChildrenBinding] = []
    /// The reducers that it lists.
    var reducers: [Relux.Reducer] = []
    /// Its rules on changes of states, by their numbers there.
    var changeRules: [(cell: AnyStateCell, number: UInt64)] = []
    /// The actions that it takes in an instance, without saying that this is meant.
    var lexicalActions: [any Relux.Action.Type] = []

    /// Its sagas, flows, and watchers.
    var allRunners: [SagaRunner] { runners + watchers }

    /// The module, and for one that opens an instance everything in that, each after what it contains.
    var contents: [ModuleRegistration] { instance?.registrations.reversed() ?? [self] }

    // MARK: Needs

    func connect(as generation: UInt64) {
        number(as: generation)
        isConnected = true
        for need in needs { need.dependents.insert(generation) }
    }

    /// Undoes ``connect(as:)``. No instances follow states for it any more.
    ///
    /// - Returns: The instances that it has held.
    func disconnect() -> [ModuleRegistration] {
        isConnected = false
        for need in needs { need.dependents.remove(generation) }
        for binding in children { binding.disconnect() }
        return children.flatMap { $0.releaseUnwanted() }
    }

    // MARK: Holders

    func hold(_ holder: UInt64?) { holders[holder, default: 0] += 1 }

    /// - Returns: Whether it was there.
    @discardableResult
    func release(_ holder: UInt64?) -> Bool {
        guard let count = holders[holder] else { return false }
        holders[holder] = count > 1 ? count - 1 : nil
        return true
    }

    /// Whether anything keeps the module that wouldn't go with it.
    ///
    /// A name, a lease, or a state around an instance always does. Modules that need this one may go along themselves:
    /// those in its instance, its children, and modules that it or these keep. Of all these, those stay that something
    /// else keeps, with everything that they keep in turn. Everything in an instance goes with it, whatever holds it.
    ///
    /// - Complexity: O(1) for a module that is held by anything but modules, or needed by none; otherwise O(n) in the
    ///   number of instances and modules inside and of those that they need.
    var isNeeded: Bool {
        guard holders.isEmpty, !dependents.isEmpty else { return !holders.isEmpty }
        let going = Self.withChildren([self], andNeeds: true)
        let numbers = Set(going.values.flatMap { [$0.generation] + $0.children.map(\.number) })
        let kept = going.values.filter { candidate in
            let isContained = candidate.scope.ownModule.map { going[ObjectIdentifier($0)] != nil } ?? false
            let isKept = candidate.holders.keys.contains { $0.map { !numbers.contains($0) } ?? true }
            return !isContained && (isKept || !candidate.dependents.isSubset(of: numbers))
        }
        return Self.withChildren(kept, andNeeds: true)[ObjectIdentifier(self)] != nil
    }

    /// Some modules, everything in their instances, and the children of all their states; if wanted, also what these
    /// need.
    static func withChildren(
        _ registrations: [ModuleRegistration], andNeeds: Bool = false
    ) -> [ObjectIdentifier: ModuleRegistration] {
        var found: [ObjectIdentifier: ModuleRegistration] = [:]
        var open = registrations
        while let next = open.popLast() {
            if found.updateValue(next, forKey: ObjectIdentifier(next)) != nil { continue }
            open += next.contents + next.children.flatMap(\.held) + (andNeeds ? next.needs : [])
        }
        return found
    }

    /// Whether it is held as the child of a state, or by a lease, and not by name.
    var isChild: Bool { !holders.isEmpty && holders[nil] == nil }
}

/// The modules of a scope, in its slots.
extension ScopeNode {
    /// The registration of the module whose instance this is; nil for the root.
    var ownModule: ModuleRegistration? { self[Slot(.single, for: ModuleRegistration.self)] as? ModuleRegistration }

    /// Adds a module that is registered in this scope, or, in an instance, the one whose instance it is.
    func add(_ registration: ModuleRegistration) {
        let own = Slot(.single, for: ModuleRegistration.self)
        self[registration.instance === self ? own : Slot(.module, for: registration.module)] = registration
    }

    /// Removes a module without an id.
    func remove(_ registration: ModuleRegistration) { self[Slot(.module, for: registration.module)] = nil }

    /// The modules that are registered directly in the scope, in order. In an instance, its own module is the first.
    var ownRegistrations: [ModuleRegistration] {
        contents.compactMap { $0 as? ModuleRegistration }.sorted { $0.generation < $1.generation }
    }

    /// A module that is registered directly in the scope.
    ///
    /// - Parameter id: The id of the instance; nil for a module without one.
    func registration(of module: any Relux.Module.Type, id: AnySendableHashable?) -> ModuleRegistration? {
        guard let id else { return self[Slot(.module, for: module)] as? ModuleRegistration }
        return group(of: module)?.instance(id)?.ownModule
    }

    /// All modules that are registered in the scope and in the instances inside it, in order.
    var registrations: [ModuleRegistration] {
        subtree.flatMap(\.ownRegistrations).sorted { $0.generation < $1.generation }
    }

    /// The modules in this very scope that take a type of action.
    func handlers(of action: any Relux.Action.Type) -> [any Relux.Module.Type] {
        guard let route = route(for: action) else { return [] }
        return ownRegistrations.filter { $0.routes.contains { $0 === route } }.map(\.module)
    }
}
