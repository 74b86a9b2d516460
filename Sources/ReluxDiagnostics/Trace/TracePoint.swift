import Relux

/// The values of the states, and the reducers of the registered modules, at a point of a trace.
struct TracePoint {
    private var values: [StateSlot: any Relux.State] = [:]
    private let given: [Relux.ModuleDescription.Reduction]
    /// By scope, in the order of registration. Those that were unregistered stay until others are registered: the
    /// action that closes an instance may be one of its own, and is recorded afterwards.
    private var modules: [String?: [RecordedModule]] = [:]

    init(beginning trace: Relux.Trace) {
        given = trace.reductions
        for module in trace.modules { apply(module) }
        apply(trace.base)
    }

    subscript(slot: StateSlot) -> (any Relux.State)? { values[slot] }

    /// Goes on to the point after an event.
    mutating func apply(_ entry: TraceEntry) {
        if let module = entry.module { apply(module) }
        apply(entry.states)
    }

    /// States that aren't known are removed.
    private mutating func apply(_ changes: [StateChange]) {
        for change in changes { values[change.slot] = change.value }
    }

    private mutating func apply(_ module: RecordedModule) {
        let place = modules[module.scope]?.firstIndex { $0.type == module.type && !$0.isGone }
        if let place, module.isGone {
            modules[module.scope]?[place].isGone = true
        } else if let place {
            modules[module.scope]?[place] = module
        } else if !module.isGone {
            modules[module.scope]?.removeAll(where: \.isGone)
            modules[module.scope, default: []].append(module)
        }
    }

    /// Reduces a state by an action, with the reducers that are registered at this point.
    ///
    /// - Returns: The new state; nil if none of the reducers takes the action.
    func reducing(_ state: any Relux.State, in slot: StateSlot, by action: Relux.Trace.Action) -> (any Relux.State)? {
        guard let taken = action.value else { return nil }
        func reductions(in scope: String?) -> [Relux.ModuleDescription.Reduction] {
            self.reductions(in: scope).filter(isConcerned)
        }
        func isConcerned(_ reduction: Relux.ModuleDescription.Reduction) -> Bool {
            reduction.action == type(of: taken) && reduction.state == type(of: state)
        }
        var found = given.isEmpty ? reductions(in: slot.scope) : given.filter(isConcerned)
        if given.isEmpty, slot.scope != action.scope {
            // An instance inside listens; or else the one that takes the action reduces a state around it.
            found.removeAll(where: \.isOwn)
            let isAround = values[StateSlot(type: slot.type, scope: action.scope)] == nil
            let others = isAround ? reductions(in: action.scope).filter { !$0.isOwn } : []
            if !others.isEmpty { found = others }
        }
        // The scopes around an instance take its action after it, from the inside out.
        var steps = found.map { (reduction: $0, action: taken) }
        for level in action.path.indices where place(of: slot.type, from: action.path[level...]) == slot.scope {
            let instances = action.path[...level].lazy.map(\.instance)
            for reduction in given.isEmpty ? self.reductions(in: action.path[level].outside) : given
            where reduction.state == type(of: state) {
                guard let outer = reduction.childAction(of: taken, from: instances) else { continue }
                steps.append((reduction, outer))
            }
        }
        guard !steps.isEmpty else { return nil }
        return steps.reduce(state) { $1.reduction.reduce($0, $1.action) ?? $0 }
    }

    /// The reducers of a scope, in the order of its modules.
    private func reductions(in scope: String?) -> [Relux.ModuleDescription.Reduction] {
        let all = modules[scope] ?? []
        let present = all.filter { !$0.isGone }
        return (present.isEmpty ? all : present).flatMap(\.reductions)
    }

    /// The scope of the state that a reducer finds from outside of an instance.
    ///
    /// - Parameter path: The instance and those around it.
    /// - Returns: Nil if there is no such state.
    private func place(of state: String, from path: some Sequence<Relux.Trace.Action.Level>) -> String?? {
        path.first { values[StateSlot(type: state, scope: $0.outside)] != nil }.map(\.outside)
    }
}
