/// The conditions of a registration or a replacement. Each check throws, and changes nothing in the store.
extension ModulePlan {
    /// Checks each module, after those that it needs, and stores these in each new registration.
    mutating func check() throws(Relux.StoreError) {
        for (index, entry) in entries.enumerated() {
            entries[index].persisted = try persistedStates(of: entry)
            try checkFlows(of: entry)
            entries[index].needs += try ownersOfUsedStates(of: entry)
            if !entry.registration.isConnected { entry.registration.needs = entries[index].needs }
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
                guard stateOwner(of: action, in: content) == nil else { continue }
                let owner = content.outward.firstNonNil { stateOwner(of: action, in: $0) }
                if let owner { throw .shadows(action, owner: owner) }
            }
        }
    }

    /// The module in a scope, registered or planned, that owns a state with these actions.
    private func stateOwner(of action: any Relux.Action.Type, in scope: ScopeNode) -> (any Relux.Module.Type)? {
        scope.route(for: action)?.stateOwner
            ?? entries.first {
                $0.registration.content === scope && $0.blueprint.states.contains { $0.ownAction == action }
            }?.blueprint.module
    }

    private mutating func persistedStates(of entry: Entry) throws(Relux.StoreError) -> [PersistedState] {
        let blueprint = entry.blueprint
        var persisted: [PersistedState] = []
        for persistence in blueprint.persistence {
            let state = persistence.state
            guard let initial = blueprint.states.first(where: { type(of: $0) == state }) else {
                throw .foreignPersistence(of: state, in: blueprint.module)
            }
            guard blueprint.persistence.count(where: { $0.state == state }) == 1 else {
                throw .savedTwice(state, and: state)
            }
            guard !modules.ignoresPersistence else { continue }
            let place = SavingPlace(of: persistence, in: entry.registration.content.address)
            if let other = places.updateValue(state, forKey: place) { throw .savedTwice(other, and: state) }
            persisted.append((place, LoadRequest(persistence: persistence, initial: initial)))
        }
        return persisted
    }

    private mutating func checkFlows(of entry: Entry) throws(Relux.StoreError) {
        let content = entry.registration.content
        for flow in entry.blueprint.flows {
            let effect = flow.effect
            guard modules.allowsFlowsOfChildActions || !(effect is any AnyChildAction.Type) else {
                throw .flowOfChildAction(effect, in: entry.blueprint.module)
            }
            let known = content.route(for: effect)?.flow.flatMap { flow in
                content.ownRegistrations.first { $0.runners.contains { $0 === flow } }
            }
            let planned = planned.updateValue(entry.registration, forKey: ScopedKey(.route, effect, in: content))
            if let other = planned ?? (known === entry.registration ? nil : known) {
                throw .effectAnsweredTwice(effect, by: other.module, and: entry.blueprint.module)
            }
        }
    }

    /// The other modules whose states a module reduces, or lets instances follow. It needs them itself, because a
    /// module between them may be replaced by one that doesn't.
    private func ownersOfUsedStates(of entry: Entry) throws(Relux.StoreError) -> [ModuleRegistration] {
        let (blueprint, registration) = (entry.blueprint, entry.registration)
        guard !blueprint.reducers.isEmpty || !blueprint.children.isEmpty else { return [] }
        // The module, and everything that it needs.
        var reachable: Set<ObjectIdentifier> = [ObjectIdentifier(registration)]
        var open = entry.needs
        while let need = open.popLast() {
            if reachable.insert(ObjectIdentifier(need)).inserted { open += need.needs }
        }
        func owner(of state: any Relux.State.Type) -> ModuleRegistration? {
            innermostOwner(of: state, from: registration.content).flatMap { owner in
                reachable.contains(ObjectIdentifier(owner)) ? owner : nil
            }
        }
        var owners: [ModuleRegistration] = []
        for reducer in blueprint.reducers {
            guard let owner = owner(of: reducer.state) else {
                throw .foreignReducer(of: reducer.state, on: reducer.action, in: blueprint.module)
            }
            owners.append(owner)
        }
        for children in blueprint.children {
            guard let owner = owner(of: children.state) else {
                throw .foreignChildren(of: children.state, in: blueprint.module)
            }
            owners.append(owner)
        }
        return owners.filter { $0 !== registration }
    }
}
