/// The modules that a registration would add, each after the modules that it depends on.
///
/// A plan is complete and consistent, or its initialiser throws. Connecting it can therefore not fail halfway.
struct ModulePlan {
    private(set) var blueprints: [ModuleBlueprint] = []
    /// The types of modules of which another instance was found. Those instances are not used.
    private(set) var shared: [any Relux.Module.Type] = []
    private var planned: Set<ModuleTable.Key> = []

    /// - Complexity: O(n) in what the new modules list.
    init(
        for modules: [any Relux.Module], in table: ModuleTable,
        flowOwner: (any Relux.Effect.Type) -> (any Relux.Module.Type)?
    ) throws(Relux.StoreError) {
        for module in modules { try visit(module, below: [], in: table) }
        try checkStates(against: table)
        try checkFlows(flowOwner)
        try checkReducers(against: table)
    }

    private mutating func visit(
        _ module: any Relux.Module, below path: [any Relux.Module.Type], in table: ModuleTable
    ) throws(Relux.StoreError) {
        let type = type(of: module)
        if let start = path.firstIndex(where: { $0 == type }) {
            throw .dependencyCircle(Array(path[start...]) + [type])
        }
        guard table[type] == nil, !planned.contains(ModuleTable.Key(type)) else {
            shared.append(type)
            return
        }
        let blueprint = ModuleBlueprint(module)
        for dependency in blueprint.dependencies { try visit(dependency, below: path + [type], in: table) }
        planned.insert(ModuleTable.Key(type))
        blueprints.append(blueprint)
    }

    private func checkStates(against table: ModuleTable) throws(Relux.StoreError) {
        var owners: [ObjectIdentifier: any Relux.Module.Type] = [:]
        for blueprint in blueprints {
            for state in blueprint.states {
                let key = ObjectIdentifier(type(of: state))
                if let other = owners[key] ?? table.owner(of: type(of: state)) {
                    throw .stateOwnedTwice(type(of: state), by: other, and: blueprint.module)
                }
                owners[key] = blueprint.module
            }
        }
    }

    private func checkFlows(
        _ flowOwner: (any Relux.Effect.Type) -> (any Relux.Module.Type)?
    ) throws(Relux.StoreError) {
        var owners: [ObjectIdentifier: any Relux.Module.Type] = [:]
        for blueprint in blueprints {
            for flow in blueprint.flows {
                let effect = flow.effect
                if let other = owners[ObjectIdentifier(effect)] ?? flowOwner(effect) {
                    throw .effectAnsweredTwice(effect, by: other, and: blueprint.module)
                }
                owners[ObjectIdentifier(effect)] = blueprint.module
            }
        }
    }

    private func checkReducers(against table: ModuleTable) throws(Relux.StoreError) {
        for blueprint in blueprints where !blueprint.reducers.isEmpty {
            let reachable = reachableStates(of: blueprint, in: table)
            for reducer in blueprint.reducers where !reachable.contains(ObjectIdentifier(reducer.state)) {
                throw .foreignReducer(of: reducer.state, on: reducer.action, in: blueprint.module)
            }
        }
    }

    /// The states of a module and of everything that it depends on.
    private func reachableStates(of blueprint: ModuleBlueprint, in table: ModuleTable) -> Set<ObjectIdentifier> {
        var states: Set<ObjectIdentifier> = []
        var seen: Set<ModuleTable.Key> = []
        var open = [ModuleTable.Key(blueprint.module)]
        while let key = open.popLast() {
            guard seen.insert(key).inserted else { continue }
            if let new = blueprints.first(where: { ModuleTable.Key($0.module) == key }) {
                states.formUnion(new.states.map { ObjectIdentifier(type(of: $0)) })
                open.append(contentsOf: new.dependencyKeys)
            } else if let known = table.registrations[key] {
                states.formUnion(known.connections.cells.map { ObjectIdentifier($0.state) })
                open.append(contentsOf: known.dependencies)
            }
        }
        return states
    }
}
