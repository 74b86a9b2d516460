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
            let all = modules[scope] ?? []
            let present = all.filter { !$0.isGone }
            return (present.isEmpty ? all : present).flatMap { $0.reductions.filter(isConcerned) }
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
        guard !found.isEmpty else { return nil }
        return found.reduce(state) { $1.reduce($0, taken) ?? $0 }
    }
}
