/// What must hold for a registration or a replacement. Each check throws, and changes nothing.
extension ModulePlan {
    func check() throws(Relux.StoreError) {
        // One module alone can clash only with itself and what is registered.
        var states: [ScopedKey: ModuleRegistration] = [:]
        var flows: [ScopedKey: ModuleRegistration] = [:]
        for entry in entries {
            try checkStates(of: entry, &states)
            try checkPersistence(of: entry.blueprint)
            try checkFlows(of: entry, &flows)
            try checkReducers(of: entry, needing: entry.registration.needs)
            try checkHandlers(of: entry)
        }
    }

    /// Checks that nothing in an instance takes the actions of a state outside away from it.
    func checkHandlers(of entry: Entry) throws(Relux.StoreError) {
        let content = entry.registration.content
        guard !content.isRoot else { return }
        for (action, scope) in entry.blueprint.handlers {
            switch scope {
            case .own: break
            case .enclosing:
                if action is any AnyChildAction.Type {
                    throw .listensToChildAction(action, in: entry.blueprint.module)
                }
            case .lexical:
                guard stateOwner(of: action, in: content) == nil, let parent = content.parent else { continue }
                for outer in parent.outward {
                    if let owner = stateOwner(of: action, in: outer) { throw .shadows(action, owner: owner) }
                }
            }
        }
    }

    /// The module in a scope, registered or planned, that owns a state with these actions.
    private func stateOwner(of action: any Relux.Action.Type, in scope: ScopeNode) -> (any Relux.Module.Type)? {
        scope.routes[ObjectIdentifier(action)]?.stateOwner
            ?? entries.first { $0.registration.content === scope && $0.blueprint.ownsState(with: action) }?
            .blueprint.module
    }

    private func checkStates(
        of entry: Entry, _ owners: inout [ScopedKey: ModuleRegistration]
    ) throws(Relux.StoreError) {
        let content = entry.registration.content
        for state in entry.blueprint.states {
            let type = type(of: state)
            let key = ScopedKey(scope: ObjectIdentifier(content), module: ObjectIdentifier(type), id: nil)
            if let other = owners[key]?.module ?? content.cells[ObjectIdentifier(type)]?.owner {
                throw .stateOwnedTwice(type, by: other, and: entry.blueprint.module)
            }
            // One state alone can't clash with another one of this plan.
            if entries.count > 1 || entry.blueprint.states.count > 1 { owners[key] = entry.registration }
        }
    }

    func checkPersistence(of blueprint: ModuleBlueprint) throws(Relux.StoreError) {
        var seen: Set<ObjectIdentifier> = []
        for persistence in blueprint.persistence {
            let state = persistence.state
            guard blueprint.states.contains(where: { type(of: $0) == state }) else {
                throw .foreignPersistence(of: state, in: blueprint.module)
            }
            guard seen.insert(ObjectIdentifier(state)).inserted else { throw .savedTwice(state, and: state) }
        }
    }

    func checkFlows(
        of entry: Entry, _ owners: inout [ScopedKey: ModuleRegistration]
    ) throws(Relux.StoreError) {
        let content = entry.registration.content
        for flow in entry.blueprint.flows {
            let effect = flow.effect
            guard allowsFlowsOfChildActions || !(effect is any AnyChildAction.Type) else {
                throw .flowOfChildAction(effect, in: entry.blueprint.module)
            }
            let key = ScopedKey(scope: ObjectIdentifier(content), module: ObjectIdentifier(effect), id: nil)
            if let other = owners[key]?.module ?? content.flowOwner(of: effect, apartFrom: entry.registration) {
                throw .effectAnsweredTwice(effect, by: other, and: entry.blueprint.module)
            }
            if entries.count > 1 || entry.blueprint.flows.count > 1 { owners[key] = entry.registration }
        }
    }

    func checkReducers(of entry: Entry, needing needs: [ModuleRegistration]) throws(Relux.StoreError) {
        let blueprint = entry.blueprint
        guard !blueprint.reducers.isEmpty || !blueprint.children.isEmpty else { return }
        let reachable = reachableStates(of: closure(of: needs))
            .union(blueprint.states.map { ObjectIdentifier(type(of: $0)) })
        for reducer in blueprint.reducers where !reachable.contains(ObjectIdentifier(reducer.state)) {
            throw .foreignReducer(of: reducer.state, on: reducer.action, in: blueprint.module)
        }
        for children in blueprint.children where !reachable.contains(ObjectIdentifier(children.state)) {
            throw .foreignChildren(of: children.state, in: blueprint.module)
        }
    }

    /// Some modules, and everything that they need.
    private func closure(of needs: [ModuleRegistration]) -> [ModuleRegistration] {
        var found: [ModuleRegistration] = []
        var seen: Set<ObjectIdentifier> = []
        var open = needs
        while let registration = open.popLast() {
            guard seen.insert(ObjectIdentifier(registration)).inserted else { continue }
            found.append(registration)
            open += registration.needs
        }
        return found
    }

    /// A cycle that the replaced module would form, starting and ending with it.
    func cycle(through registration: ModuleRegistration) -> [any Relux.Module.Type]? {
        var seen: Set<ObjectIdentifier> = []
        var paths = needs.map { [$0] }
        while let path = paths.popLast() {
            guard let last = path.last, seen.insert(ObjectIdentifier(last)).inserted else { continue }
            if last === registration { return [registration.module] + path.map(\.module) }
            paths += last.needs.map { path + [$0] }
        }
        return nil
    }

    private func reachableStates(of registrations: [ModuleRegistration]) -> Set<ObjectIdentifier> {
        var states: Set<ObjectIdentifier> = []
        for registration in registrations {
            if registration.isConnected {
                states.formUnion(registration.cells.map { ObjectIdentifier($0.state) })
            } else if let planned = entries.first(where: { $0.registration === registration }) {
                states.formUnion(planned.blueprint.states.map { ObjectIdentifier(type(of: $0)) })
            }
        }
        return states
    }
}

extension ScopeNode {
    /// The module whose flow answers an effect in this scope.
    fileprivate func flowOwner(
        of effect: any Relux.Effect.Type, apartFrom excluded: ModuleRegistration
    ) -> (any Relux.Module.Type)? {
        guard let flow = routes[ObjectIdentifier(effect)]?.flow else { return nil }
        return ownRegistrations.first { registration in
            registration !== excluded && registration.runners.contains { $0 === flow }
        }?.module
    }
}
