import Relux

/// A module that records which of its properties are read.
struct Asked: Relux.Module {
    let asked: Trace<String>
    var shelf: Shelf<Log>?

    var states: [any Relux.State] { noted("states", [Log()]) }
    var reducers: [Relux.Reducer] { noted("reducers", []) }
    var sagas: [any Relux.Saga] { noted("sagas", []) }
    var flows: [any Relux.Flow] { noted("flows", []) }
    var watchers: [any Relux.Watcher] { noted("watchers", []) }
    var persistence: [any Relux.StatePersistence] { noted("persistence", shelf.map { [Shelved(on: $0)] } ?? []) }
    var dependencies: [any Relux.Module] { noted("dependencies", []) }

    /// Each property once.
    static let properties = ["dependencies", "flows", "persistence", "reducers", "sagas", "states", "watchers"]

    private func noted<Value>(_ property: String, _ value: Value) -> Value {
        asked.note(property)
        return value
    }
}
