/// What must hold for a registration or a replacement. Each check throws, and changes nothing.
extension ModulePlan {
    func check() throws(Relux.StoreError) {
        var flows: [ScopedKey: ModuleRegistration] = [:]
        for entry in entries {
            try checkPersistence(of: entry.blueprint)
            try checkFlows(of: entry, &flows)
            try checkReducers(of: entry)
            try checkHandlers(of: entry)
        }
    }

    /// Checks that nothing in an instance takes the actions of a state outside away from it.
    private func checkHandlers(of entry: Entry) throws(Relux.StoreError) {
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
        scope.route(for: action)?.stateOwner
            ?? entries.first { $0.registration.content === scope && $0.blueprint.ownsState(with: action) }?
            .blueprint.module
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

    private func checkFlows(
        of entry: Entry, _ owners: inout [ScopedKey: ModuleRegistration]
    ) throws(Relux.StoreError) {
        let content = entry.registration.content
        for flow in entry.blueprint.flows {
            let effect = flow.effect
            guard allowsFlowsOfChildActions || !(effect is any AnyChildAction.Type) else {
                throw .flowOfChildAction(effect, in: entry.blueprint.module)
            }
            let known = content.route(for: effect)?.flow.flatMap { flow in
                content.ownRegistrations.first { $0.runners.contains { $0 === flow } }
            }
            let key = ScopedKey(effect, in: content)
            if let other = owners[key] ?? (known === entry.registration ? nil : known) {
                throw .effectAnsweredTwice(effect, by: other.module, and: entry.blueprint.module)
            }
            owners[key] = entry.registration
        }
    }

    private func checkReducers(of entry: Entry) throws(Relux.StoreError) {
        let (blueprint, registration) = (entry.blueprint, entry.registration)
        guard !blueprint.reducers.isEmpty || !blueprint.children.isEmpty else { return }
        let reachable = closure(of: entry.needs).union([ObjectIdentifier(registration)])
        func isForeign(_ state: any Relux.State.Type) -> Bool {
            guard let owner = innermostOwner(of: state, from: registration.content) else { return true }
            return !reachable.contains(ObjectIdentifier(owner))
        }
        for reducer in blueprint.reducers where isForeign(reducer.state) {
            throw .foreignReducer(of: reducer.state, on: reducer.action, in: blueprint.module)
        }
        for children in blueprint.children where isForeign(children.state) {
            throw .foreignChildren(of: children.state, in: blueprint.module)
        }
    }

    /// Some modules, and everything that they need.
    private func closure(of needs: [ModuleRegistration]) -> Set<ObjectIdentifier> {
        var seen: Set<ObjectIdentifier> = []
        var open = needs
        while let registration = open.popLast() {
            if seen.insert(ObjectIdentifier(registration)).inserted { open += registration.needs }
        }
        return seen
    }
}
