/// The modules that a registration would add, each after the modules that it needs.
///
/// A plan is complete and consistent, or its initialiser throws. Connecting it can therefore not fail halfway.
struct ModulePlan: ~Copyable {
    struct Entry {
        let blueprint: ModuleBlueprint
        let registration: ModuleRegistration
        /// The modules that it needs, by `dependencies` or `requires`.
        var needs: [ModuleRegistration]
        /// Its persisted states. None if persistence is ignored.
        var persisted: [PersistedState] = []
    }

    typealias PersistedState = (place: SavingPlace, request: LoadRequest)

    /// A module that replaces a registered one is the last.
    var entries: [Entry] = []
    /// The listed modules, in order, whether new or registered before.
    private(set) var listed: [ModuleRegistration] = []
    /// The types of modules of which another instance was found. Those instances are not used.
    private(set) var shared: [any Relux.Module.Type] = []
    /// The new modules, in the scopes that hold them, and the owners of their states and flows, in the scopes where
    /// these are.
    var planned: [ScopedKey: ModuleRegistration] = [:]
    /// Several listed modules, where they are registered: what depends on one of them gets that one.
    private var announced: [ScopedKey: ModuleBlueprint] = [:]
    /// The places of persisted states. Each has its own.
    var places: [SavingPlace: any Relux.State.Type] = [:]
    let modules: Modules

    /// What a module would add in a scope: itself, a state, or the flow on the route of an effect.
    struct ScopedKey: Hashable {
        private let scope: ObjectIdentifier
        private let slot: UInt64
        private let id: AnySendableHashable?

        init(_ role: Slot.Role, _ type: Any.Type, id: AnySendableHashable? = nil, in scope: ScopeNode) {
            (self.scope, slot, self.id) = (ObjectIdentifier(scope), Slot(role, for: type).number, id)
        }
    }

    /// - Parameter scope: Where the modules are registered. What they depend on is looked up from there outward.
    init(for listed: [ModuleBlueprint], in scope: ScopeNode, _ modules: Modules) throws(Relux.StoreError) {
        self.modules = modules
        if listed.count > 1 {
            let keys = listed.map { ScopedKey(.module, $0.module, id: $0.id, in: scope) }
            announced = Dictionary(zip(keys, listed)) { first, _ in first }
        }
        self.listed = try listed.map { module throws(Relux.StoreError) in
            try visit(module, below: [], in: scope, searching: CollectionOfOne(scope))
        }
        try addRequirements()
        try order()
        try check()
    }

    /// Plans the replacement of a registered module by another instance of its type.
    init(
        replacing registration: ModuleRegistration, with module: any Relux.Module, _ modules: Modules
    ) throws(Relux.StoreError) {
        self.modules = modules
        let blueprint = ModuleBlueprint(module)
        let states = blueprint.states.map { ObjectIdentifier(type(of: $0)) }
        let known = registration.cells.map { ObjectIdentifier($0.state) }
        guard states.sorted() == known.sorted() else { throw .otherStates(of: registration.module) }
        let needs = try visitDependencies(of: blueprint, below: [registration.module], in: registration.content)
        entries.insert(Entry(blueprint: blueprint, registration: registration, needs: needs), at: 0)
        try addRequirements()
        guard !entries[0].needs.contains(where: { $0 === registration }) else {
            throw .missing(registration.module, requiredBy: registration.module)
        }
        try order()
        try check()
    }

    // MARK: Finding

    /// - Parameter scopes: Where the module may already be, the innermost scope first.
    private mutating func visit(
        _ blueprint: ModuleBlueprint, below path: [any Relux.Module.Type], in holder: ScopeNode,
        searching scopes: some Sequence<ScopeNode>
    ) throws(Relux.StoreError) -> ModuleRegistration {
        let (type, id) = (blueprint.module, blueprint.id)
        let start = path.firstIndex { $0 == type }
        for scope in scopes {
            // An instance may depend on another one of its type that exists already.
            if let existing = registration(of: type, id: id, in: scope), start == nil || id != nil {
                shared.append(type)
                return existing
            }
            if let listed = announced[ScopedKey(.module, type, id: id, in: scope)], listed !== blueprint {
                return try visit(listed, below: path, in: scope, searching: CollectionOfOne(scope))
            }
        }
        if let start { throw .dependencyCycle(Array(path[start...]) + [type]) }
        let instance = id.map { ScopeNode(of: type, id: $0, in: holder, numbered: modules.nextSerial()) }
        let needs = try visitDependencies(of: blueprint, below: path + [type], in: instance ?? holder)
        let registration = ModuleRegistration(type, in: holder, opening: instance)
        planned[ScopedKey(.module, type, id: id, in: holder)] = registration
        for state in blueprint.states.map({ Swift.type(of: $0) }) {
            if let other = owner(of: state, in: registration.content) {
                throw .stateOwnedTwice(state, by: other.module, and: type)
            }
            planned[ScopedKey(.state, state, in: registration.content)] = registration
        }
        entries.append(Entry(blueprint: blueprint, registration: registration, needs: needs))
        return registration
    }

    private mutating func visitDependencies(
        of blueprint: ModuleBlueprint, below path: [any Relux.Module.Type], in content: ScopeNode
    ) throws(Relux.StoreError) -> [ModuleRegistration] {
        try blueprint.dependencies.map { dependency throws(Relux.StoreError) in
            try visit(dependency, below: path, in: content, searching: content.outward)
        }
    }

    /// A module that is registered in a scope, or will be.
    private func registration(
        of module: any Relux.Module.Type, id: AnySendableHashable?, in scope: ScopeNode
    ) -> ModuleRegistration? {
        scope.registration(of: module, id: id) ?? planned[ScopedKey(.module, module, id: id, in: scope)]
    }

    /// Adds the modules that a module requires, and those that own the states whose changes it has rules on.
    private mutating func addRequirements() throws(Relux.StoreError) {
        for (index, entry) in entries.enumerated() {
            for type in entry.blueprint.requires {
                guard let required = required(type, by: entry.registration) else {
                    throw .missing(type, requiredBy: entry.blueprint.module)
                }
                entries[index].needs.append(required)
            }
            for state in entry.blueprint.rules.compactMap(\.changingState) {
                guard let owner = innermostOwner(of: state, from: entry.registration.content) else {
                    throw .foreignRule(of: state, in: entry.blueprint.module)
                }
                if owner !== entry.registration { entries[index].needs.append(owner) }
            }
        }
    }

    /// The module in a scope that owns a state, or will.
    private func owner(of state: any Relux.State.Type, in scope: ScopeNode) -> ModuleRegistration? {
        planned[ScopedKey(.state, state, in: scope)]
            ?? scope.ownCell(of: state)?.owner as? ModuleRegistration
    }

    /// The owner of a state in the innermost scope that has one.
    func innermostOwner(of state: any Relux.State.Type, from content: ScopeNode) -> ModuleRegistration? {
        content.outward.firstNonNil { owner(of: state, in: $0) }
    }

    /// A required module: one without an id around the module that requires it, or the instance that this is part of.
    private func required(
        _ type: any Relux.Module.Type, by registration: ModuleRegistration
    ) -> ModuleRegistration? {
        registration.content.outward.firstNonNil { scope in
            if let found = self.registration(of: type, id: nil, in: scope) { return found }
            let own = scope.ownModule ?? entries.first { $0.registration.instance === scope }?.registration
            return own?.module == type && own !== registration ? own : nil
        }
    }

    /// Sorts the modules so that each comes after those that it needs.
    private mutating func order() throws(Relux.StoreError) {
        let found = Dictionary(uniqueKeysWithValues: entries.map { (ObjectIdentifier($0.registration), $0) })
        // The modules that a replacement needs may need the replaced one, through others that are registered.
        let isReplacement = entries.contains(where: \.registration.isConnected)
        var ordered: [Entry] = []
        var done: Set<ObjectIdentifier> = []
        func append(_ registration: ModuleRegistration, below path: [ModuleRegistration]) throws(Relux.StoreError) {
            if let start = path.firstIndex(where: { $0 === registration }) {
                throw .dependencyCycle(path[start...].map(\.module) + [registration.module])
            }
            let key = ObjectIdentifier(registration)
            guard isReplacement || !registration.isConnected, done.insert(key).inserted else { return }
            for need in found[key]?.needs ?? registration.needs { try append(need, below: path + [registration]) }
            if let entry = found[key] { ordered.append(entry) }
        }
        for entry in entries { try append(entry.registration, below: []) }
        entries = ordered
    }
}
