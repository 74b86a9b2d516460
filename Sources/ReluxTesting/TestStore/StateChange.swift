import Relux

/// A change of one state, as stated by a test.
final class StateChange<S: Relux.State>: AnyStateChange {
    private let scope: Relux.Scope?
    var state: any Relux.State.Type { S.self }

    private var change: ((inout S) -> Void)?

    /// - Parameters:
    ///   - scope: Where the state is looked up, from there outward; nil for the root.
    ///   - change: The stated change; nil if it is lent later.
    init(in scope: Relux.Scope?, _ change: ((inout S) -> Void)? = nil) {
        self.scope = scope
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
        guard let found = snapshot.find(S.self, from: scope), let before = found.state as? S else {
            return .missesState
        }
        var state = before
        change?(&state)
        snapshot.set(state, in: found.scope)
        return state == before ? .changesNothing(found.scope) : .changes(found.scope)
    }
}

/// A change of a state of any type.
protocol AnyStateChange: AnyObject {
    var state: any Relux.State.Type { get }

    /// Applies the change, and returns its effect.
    func apply(to snapshot: inout StateSnapshot) -> StateChangeEffect
}

/// The effect of a stated change on a snapshot.
enum StateChangeEffect {
    case changes(Relux.Scope?)
    case changesNothing(Relux.Scope?)
    case missesState
}
