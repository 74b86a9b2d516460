/// What a module says about itself. Each property is read once.
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
