import Relux

/// The states of a store at one point in its order.
struct StateSnapshot: Sendable {
    /// Identifies a state, because no scope owns two states of a type.
    private struct Place: Hashable {
        let type: ObjectIdentifier
        /// Nil for the root.
        let scope: Relux.Scope?

        init(of type: any Relux.State.Type, in scope: Relux.Scope?) {
            (self.type, self.scope) = (ObjectIdentifier(type), scope)
        }
    }

    private(set) var states: [Relux.ScopedState] = []
    private var indices: [Place: Int] = [:]

    init() {}

    init(_ reader: borrowing Relux.StateReader) {
        adopt(reader.allStates)
    }

    /// The state of a type that a scope itself owns.
    ///
    /// - Parameter scope: The instance; nil for the root.
    subscript(_ type: any Relux.State.Type, in scope: Relux.Scope?) -> (any Relux.State)? {
        indices[Place(of: type, in: scope)].map { states[$0].state }
    }

    /// The state of a type in the innermost scope, from the given one outward, that owns it.
    func find(_ type: any Relux.State.Type, from scope: Relux.Scope?) -> Relux.ScopedState? {
        var next = scope
        while let scope = next {
            if let index = indices[Place(of: type, in: scope)] { return states[index] }
            next = scope.enclosing
        }
        return indices[Place(of: type, in: nil)].map { states[$0] }
    }

    /// Adds or replaces a state.
    ///
    /// - Returns: The replaced state.
    @discardableResult
    mutating func set(_ state: any Relux.State, in scope: Relux.Scope?) -> Relux.ScopedState? {
        var scoped = Relux.ScopedState(scope: scope, state: state)
        guard let index = indices[Place(of: type(of: state), in: scope)] else {
            adopt([scoped])
            return nil
        }
        swap(&states[index], &scoped)
        return scoped
    }

    /// Adds the states that this snapshot doesn't have, from modules that were registered since.
    mutating func adopt(_ later: [Relux.ScopedState]) {
        for scoped in later {
            let place = Place(of: type(of: scoped.state), in: scoped.scope)
            guard indices[place] == nil else { continue }
            indices[place] = states.count
            states.append(scoped)
        }
    }
}
