import Relux

/// A change of one state, as stated by a test.
final class StateChange<S: Relux.State>: AnyStateChange {
    let path: InstancePath
    var state: any Relux.State.Type { S.self }

    private var change: ((inout S) -> Void)?

    /// - Parameters:
    ///   - path: Where the state is looked up, from there outward.
    ///   - change: What the test states; nil if it is lent later.
    init(in path: InstancePath, _ change: ((inout S) -> Void)? = nil) {
        self.path = path
        self.change = change
    }

    /// Lends the stated change for as long as a closure runs.
    func withChange(_ change: (inout S) -> Void, _ body: () -> Void) {
        withoutActuallyEscaping(change) { change in
            self.change = change
            body()
            self.change = nil
        }
    }

    func apply(to snapshot: inout StateSnapshot) -> StateChangeEffect {
        guard let entry = snapshot.find(S.self, from: path), let before = entry.state as? S else {
            return .missesState
        }
        var state = before
        change?(&state)
        snapshot.replace(state, in: entry.path)
        return state == before ? .changesNothing(entry.path) : .changes(entry.path)
    }
}

/// A change of a state of any type.
protocol AnyStateChange: AnyObject {
    var state: any Relux.State.Type { get }

    /// Applies the change, and returns what it does.
    func apply(to snapshot: inout StateSnapshot) -> StateChangeEffect
}

/// What a stated change does to a snapshot.
enum StateChangeEffect {
    case changes(InstancePath)
    case changesNothing(InstancePath)
    case missesState
}
