import Relux

/// A module whose parts are given by a test, and that can exist many times.
struct InstancePart: Relux.Module, Identifiable {
    let id: String
    var states: [any Relux.State] = []
    var reducers: [Relux.Reducer] = []
    var sagas: [any Relux.Saga] = []
    var watchers: [any Relux.Watcher] = []
    var dependencies: [any Relux.Module] = []
    var requires: [any Relux.Module.Type] = []
    var persistence: [any Relux.StatePersistence] = []
    var children: [Relux.Children] = []

    /// Returns an instance with a log.
    static func logging(_ id: String, sagas: [any Relux.Saga] = []) -> InstancePart {
        InstancePart(id: id, states: [Log()], sagas: sagas)
    }
}
