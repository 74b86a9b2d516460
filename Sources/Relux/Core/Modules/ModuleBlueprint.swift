/// What a module says of itself, asked once.
struct ModuleBlueprint {
    let module: any Relux.Module.Type
    let states: [any Relux.State]
    let reducers: [Relux.Reducer]
    let sagas: [any Relux.Saga]
    let flows: [any Relux.Flow]
    let watchers: [any Relux.Watcher]
    let dependencies: [any Relux.Module]

    var dependencyKeys: [ModuleTable.Key] { dependencies.map { ModuleTable.Key(type(of: $0)) } }

    init(_ module: any Relux.Module) {
        self.module = type(of: module)
        states = module.states
        reducers = module.reducers
        sagas = module.sagas
        flows = module.flows
        watchers = module.watchers
        dependencies = module.dependencies
    }
}

/// The modules that a registration would add, in an order in which each comes after what it needs.
///
/// It is complete and free of contradictions, or it can't be made: so connecting it can't fail half way.
struct ModulePlan {
    private(set) var blueprints: [ModuleBlueprint] = []
    /// Module types of which a further instance was met, which isn't used.
    private(set) var secondInstances: [any Relux.Module.Type] = []
    private var planned: Set<ModuleTable.Key> = []

    /// - Complexity: O(n) in what the new modules list, and the flows and states that are registered.
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
            secondInstances.append(type)
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
            let reachable = statesInReach(of: blueprint, in: table)
            for reducer in blueprint.reducers where !reachable.contains(ObjectIdentifier(reducer.state)) {
                throw .foreignReducer(of: reducer.state, on: reducer.action, in: blueprint.module)
            }
        }
    }

    /// The states of a module and of everything that it depends on.
    private func statesInReach(of blueprint: ModuleBlueprint, in table: ModuleTable) -> Set<ObjectIdentifier> {
        var states: Set<ObjectIdentifier> = []
        var seen: Set<ModuleTable.Key> = []
        var open = [ModuleTable.Key(blueprint.module)]
        while let key = open.popLast() {
            guard seen.insert(key).inserted else { continue }
            if let new = blueprints.first(where: { ModuleTable.Key($0.module) == key }) {
                states.formUnion(new.states.map { ObjectIdentifier(type(of: $0)) })
                open.append(contentsOf: new.dependencyKeys)
            } else if let known = table.registrations[key] {
                states.formUnion(known.connections.slots.map { ObjectIdentifier($0.state) })
                open.append(contentsOf: known.dependencies)
            }
        }
        return states
    }
}

extension Relux.Flow {
    var effect: any Relux.Effect.Type { Trigger.self }
}

extension Relux.Reducer {
    var state: any Relux.State.Type { body.state }
    var action: any Relux.Action.Type { body.action }
}

extension ReducerBody {
    fileprivate var state: any Relux.State.Type { S.self }
    fileprivate var action: any Relux.Action.Type { A.self }
}
