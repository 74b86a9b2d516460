import Relux

/// The states of a store at one point in its order.
struct StateSnapshot: Sendable {
    /// A state, and the scope that owns it.
    struct Entry: Sendable {
        let path: InstancePath
        var state: any Relux.State

        func isState(_ type: any Relux.State.Type, in path: InstancePath) -> Bool {
            Swift.type(of: state) == type && self.path == path
        }
    }

    private(set) var entries: [Entry] = []

    init() {}

    init(_ reader: borrowing Relux.StateReader) {
        entries = reader.allScopedStates.map { Entry(path: $0.path, state: $0.state) }
    }

    /// The state of a type that a scope itself owns.
    subscript(_ type: any Relux.State.Type, in path: InstancePath) -> (any Relux.State)? {
        entries.first { $0.isState(type, in: path) }?.state
    }

    /// The state of a type in the innermost scope, from the given one outward, that owns it.
    func find(_ type: any Relux.State.Type, from path: InstancePath) -> Entry? {
        var next: InstancePath? = path
        while let path = next {
            if let entry = entries.first(where: { $0.isState(type, in: path) }) { return entry }
            next = path.around
        }
        return nil
    }

    mutating func replace(_ state: any Relux.State, in path: InstancePath) {
        guard let index = entries.firstIndex(where: { $0.isState(type(of: state), in: path) }) else { return }
        entries[index].state = state
    }

    /// Returns this snapshot extended by the states that only a later one has, from modules registered since.
    func adopting(newOf later: StateSnapshot) -> StateSnapshot {
        var all = self
        all.entries += later.entries.filter { self[type(of: $0.state), in: $0.path] == nil }
        return all
    }
}
