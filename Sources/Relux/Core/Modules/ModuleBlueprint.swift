/// What a module says about itself. Each property is read once.
final class ModuleBlueprint {
    let module: any Relux.Module.Type
    let states: [any Relux.State]
    let reducers: [Relux.Reducer]
    let sagas: [any Relux.Saga]
    let flows: [any Relux.Flow]
    let watchers: [any Relux.Watcher]
    let dependencies: [any Relux.Module]
    let requires: [any Relux.Module.Type]
    let children: [Relux.Children]

    init(_ module: any Relux.Module) {
        self.module = type(of: module)
        states = module.states
        reducers = module.reducers
        sagas = module.sagas
        flows = module.flows
        watchers = module.watchers
        dependencies = module.dependencies
        requires = module.requires
        children = module.children
    }
}

extension Relux.Module {
    /// The id of the instance; nil for a module without one.
    var instanceID: AnySendableHashable? {
        func id<M: Relux.Module & Identifiable>(of module: M) -> AnySendableHashable {
            AnySendableHashable(unchecked: module.id)
        }
        return (self as? any Relux.Module & Identifiable).map { id(of: $0) }
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
