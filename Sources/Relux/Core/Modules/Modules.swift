/// Modules: what is registered, what that has connected with the parts below, and which instances follow which states.
///
/// - Owns: the registrations, in the slots of their scopes; the bindings of children, in the cells of the states that
///   they follow; the registrations that wait for loads; the values that the configuration has given.
/// - Promises: a registration is planned completely before anything is changed (``ModulePlan``); what goes is found
///   before any of it is disconnected.
/// - Called by: the core, which starts and cancels the runs of what comes and goes, tells readers, and lets instances
///   follow.
///
/// - Isolation: The core's.
final class Modules {
    let dispatch: ActionDispatch
    let savings: Savings
    var readers: Readers { dispatch.readers }
    var reporter: Reporter { readers.reporter }
    private let numbers: RunNumbers
    private let agenda: Agenda
    let ignoresPersistence: Bool
    /// Whether a flow may answer an effect that is addressed to an instance.
    let allowsFlowsOfChildActions: Bool
    /// The states of the configuration whose types have not been registered yet.
    private var givenStates: [ObjectIdentifier: any Relux.State]
    /// The numbers of sagas, modules, leases, and bindings of children.
    private let serials = RunNumbers()
    /// The opening actions of modules that have just been connected.
    private var openings: [Opening] = [] { didSet { agenda.isEmpty = false } }
    /// The registrations that wait for loads, by their numbers.
    private var pending: [UInt64: PendingRegistration] = [:]
    /// The places that are being loaded, with the ends of these loads.
    private var loading: [SavingPlace: Group] = [:]

    init(
        _ dispatch: ActionDispatch, _ savings: Savings, _ numbers: RunNumbers, _ agenda: Agenda,
        _ configuration: Relux.StoreConfiguration
    ) {
        (self.dispatch, self.savings, self.numbers, self.agenda) = (dispatch, savings, numbers, agenda)
        ignoresPersistence = configuration.ignoresPersistence
        allowsFlowsOfChildActions = configuration.takesAddressedActions
        let states = configuration.states.map { (ObjectIdentifier(type(of: $0)), $0) }
        givenStates = Dictionary(states) { _, last in last }
    }

    /// A number that is higher than all before. Never 0.
    func nextSerial() -> UInt64 { serials.next() }

    // MARK: Connecting

    /// Connects a module that was planned. This can't fail.
    ///
    /// - Parameter loaded: The values of the states that were loaded for it.
    func connect(_ entry: ModulePlan.Entry, having loaded: [SavingPlace: Loaded], at site: Relux.CallSite) {
        let (blueprint, registration) = (entry.blueprint, entry.registration)
        let scope = registration.content
        registration.connect(as: nextSerial())
        scope.add(registration)
        if registration.instance != nil {
            scope.open()
            readers.noteInstances(around: scope)
        }
        for state in blueprint.states {
            let persisted = entry.persisted.first { $0.request.persistence.state == type(of: state) }
            let found = persisted.flatMap { loaded[$0.place] }
            let given = givenStates.removeValue(forKey: ObjectIdentifier(type(of: state)))
            let cell = connect(state, startingAs: given ?? found?.value, registration)
            guard let (place, request) = persisted else { continue }
            let saving = Saving(
                request.persistence, at: place, of: cell, in: scope.name(in: readers.core), at: site, numbers,
                among: savings)
            saving.failure = found?.failure
            savings.add(saving, isGiven: given != nil)
            if let failure = found?.failure { reporter.refused(.notLoaded(failure), of: cell.state, at: site) }
        }
        connectBehaviour(of: entry, at: site)
        for action in blueprint.openingActions { openings.append(Opening(action: action, scope: scope, site: site)) }
    }

    private func connect<S: Relux.State>(
        _ initial: S, startingAs given: (any Relux.State)?, _ registration: ModuleRegistration
    ) -> AnyStateCell {
        let cell = StateCell(initial, startingAs: given, of: registration)
        readers.note(registration.content.add(cell))
        registration.cells.append(cell)
        if S.Action.self != Never.self {
            route(for: S.Action.self, in: .lexical, registration).add(OwnReducer(of: cell))
        }
        return cell
    }

    /// Connects what a module lists apart from its states.
    func connectBehaviour(of entry: ModulePlan.Entry, at site: Relux.CallSite) {
        let (blueprint, registration) = (entry.blueprint, entry.registration)
        for children in blueprint.children { connect(children.body, registration, at: site) }
        registration.reducers = blueprint.reducers
        for reducer in blueprint.reducers { connect(reducer.body, in: reducer.scope, registration) }
        for flow in blueprint.flows { connect(SagaRunner(flow, id: nextSerial()), in: .lexical, registration) }
        for saga in blueprint.sagas { connect(SagaRunner(saga, id: nextSerial()), in: saga.listensTo, registration) }
        for (index, rule) in blueprint.rules.enumerated() { connect(rule, at: index, registration) }
        if !registration.content.isRoot {
            // The action of an instance belongs to the scope around that, and is taken nowhere else.
            registration.lexicalActions = blueprint.handlers.filter {
                $0.scope == .lexical && !($0.action is any AnyChildAction.Type)
            }.map(\.action)
            registration.content.updateListeners()
        }
        registration.watchers = blueprint.watchers.map { SagaRunner($0, id: nextSerial()) }
    }

    /// The cell of a state that a module refers to. Its plan has made sure that there is one.
    private func cell<S: Relux.State>(of state: S.Type, for registration: ModuleRegistration) -> StateCell<S>? {
        registration.content.cell(of: state)?.typed(as: state)
    }

    /// The route to which a handler is added.
    private func route(
        for action: any Relux.Action.Type, in scope: Relux.HandlerScope, _ registration: ModuleRegistration
    ) -> Route {
        let content = registration.content
        let route = content.makeRoute(for: action, listening: scope == .enclosing && !content.isRoot)
        if !registration.routes.contains(where: { $0 === route }) { registration.routes.append(route) }
        return route
    }

    private func connect<Body: ReducerBody>(
        _ body: Body, in scope: Relux.HandlerScope, _ registration: ModuleRegistration
    ) {
        guard let cell = cell(of: Body.S.self, for: registration) else { return }
        route(for: Body.A.self, in: scope, registration).add(AdditionalReducer(of: cell, in: registration, body.reduce))
    }

    private func connect(_ rule: Relux.Rule, at index: Int, _ registration: ModuleRegistration) {
        func connect<Body: ActionRuleBody>(_ body: Body) {
            route(for: Body.A.self, in: rule.scope, registration).add(RuleBinding(body, of: registration, at: index))
        }
        func connect<Body: ChangeRuleBody>(_ body: Body) {
            guard let cell = cell(of: Body.S.self, for: registration) else { return }
            let number = cell.rules.append(RuleBinding(body, onChangeOf: cell, of: registration, at: index))
            registration.changeRules.append((cell, number))
        }
        switch rule.body {
        case .action(let body): connect(body)
        case .change(let body): connect(body)
        }
    }

    private func connect<Body: ChildrenBody>(
        _ body: Body, _ registration: ModuleRegistration, at site: Relux.CallSite
    ) {
        guard let cell = cell(of: Body.S.self, for: registration) else { return }
        let binding = ChildrenBinding(body, of: cell, in: registration.content, self, at: site)
        registration.children.append(binding)
        cell.children.insert(binding, as: binding.number)
    }

    private func connect(_ runner: SagaRunner, in scope: Relux.HandlerScope, _ registration: ModuleRegistration) {
        guard let trigger = runner.trigger else { return }
        route(for: trigger, in: scope, registration).add(runner)
        registration.runners.append(runner)
    }

    // MARK: Openings

    /// The opening actions of the modules that were connected. They are reduced in their scopes at the end of the
    /// action that opens their instance, or of the call that connects them.
    func removeOpenings() -> [Opening] {
        guard !openings.isEmpty else { return [] }
        defer { openings = [] }
        return openings
    }

    // MARK: Disconnecting

    /// Takes modules that are no longer needed out of their scopes, dependents first.
    ///
    /// - Returns: The modules to be disconnected.
    func detachUnneeded(_ registrations: [ModuleRegistration]) -> [ModuleRegistration] {
        var removed: [ModuleRegistration] = []
        var open = registrations
        while !open.isEmpty {
            // Looked at after all that needs them, once: whether a module is needed may take a while to find out.
            var needs: [ModuleRegistration] = []
            while let registration = open.popLast() {
                guard registration.isConnected else { continue }
                if registration.isNeeded {
                    // Its parent may have been kept for it alone, and may keep it alone now.
                    if registration.isChild { needs += registration.needs }
                    continue
                }
                // Everything in an instance goes with it, whatever holds it.
                let contents = registration.contents
                removed += contents
                for content in contents {
                    if content.instance == nil { content.scope.remove(content) }
                    open += content.disconnect()
                    needs += content.needs
                }
            }
            var known: Set<ObjectIdentifier> = []
            open = needs.filter { known.insert(ObjectIdentifier($0)).inserted }.reversed()
        }
        return removed
    }

    /// Disconnects a module that was detached, or whose store has ended.
    ///
    /// - Parameter isRemoval: Whether the store goes on.
    func disconnect(_ registration: ModuleRegistration, isRemoval: Bool) {
        let scope = registration.content
        let name = scope.name(in: readers.core)
        disconnectBehaviour(of: registration, isReplaced: false)
        for cell in registration.cells {
            scope.remove(cell)
            savings.end(cell, isRemoval: isRemoval)
            readers.note(cell.source)
        }
        if let instance = registration.instance {
            dispatch.streams.finishStreams(of: instance)
            instance.stopListening()
            readers.noteEnd(of: instance)
            readers.noteInstances(around: instance)
            instance.close()
        }
        reporter.tell { $0.moduleUnregistered(registration.module, in: name) }
    }

    /// Disconnects the rules, reducers, sagas, and flows of a module.
    ///
    /// - Parameter isReplaced: Whether the module stays with its states and their own reducers.
    func disconnectBehaviour(of registration: ModuleRegistration, isReplaced: Bool) {
        for (cell, number) in registration.changeRules { cell.rules.remove(number) }
        registration.changeRules = []
        // The routes of an instance go with its scope.
        guard isReplaced || registration.instance == nil else { return }
        for route in registration.routes {
            route.removeHandlers(of: registration, registration.runners, keepingOwnReducers: isReplaced)
            registration.content.removeIfUnused(route)
        }
        registration.routes.removeAll { !$0.hasReducers(of: registration) }
        registration.runners = []
        registration.content.updateListeners()
    }

    // MARK: Children

    /// The bindings that follow some states.
    func children(of cells: [AnyStateCell]) -> [any AnyChildrenBinding] {
        cells.flatMap { $0.children.compactMap { $0 as? any AnyChildrenBinding } }
    }

    // MARK: Looking up

    /// The modules of some types in a scope, with everything in their instances and the instances that follow their
    /// states. A type of which there is none is reported.
    func registrations(
        of types: [any Relux.Module.Type], in scope: ScopeNode, at site: Relux.CallSite
    ) -> [ModuleRegistration] {
        let listed = scope.registrations.filter { registration in types.contains { $0 == registration.module } }
        for module in types where !listed.contains(where: { $0.module == module }) {
            reporter.refused(.moduleNotRegistered(module), at: site)
        }
        return ModuleRegistration.withChildren(listed).values.sorted { $0.generation < $1.generation }
    }

    // MARK: Shadows

    /// Reports the actions that modules inside instances take away from modules of other types outside, if one of
    /// either is new.
    ///
    /// - Parameter new: Those outside before those inside.
    /// - Complexity: O(n) in the number of modules inside.
    func reportShadows(of new: [ModuleRegistration], at site: Relux.CallSite) {
        var seen: Set<ObjectIdentifier> = []
        func isFirst(_ object: AnyObject) -> Bool { seen.insert(ObjectIdentifier(object)).inserted }
        var inside: [ModuleRegistration] = []
        for scope in new.map(\.content) where scope.hasInstances && isFirst(scope) {
            inside += scope.subtree.dropFirst().filter(isFirst).flatMap(\.ownRegistrations)
        }
        for (index, inner) in (new + inside).enumerated() where isFirst(inner) {
            for action in inner.lexicalActions where inner.content.route(for: action)?.stateOwner == nil {
                let taker = inner.content.parent?.outward.first { $0.handles(action) }
                let owner = taker?.handlers(of: action).first { owner in
                    owner != inner.module && (index < new.count || new.contains { $0.module == owner })
                }
                if let owner { reporter.refused(.shadows(action, in: inner.module, owner: owner), at: site) }
            }
        }
    }

    // MARK: Loads

    /// Whether no registration waits for loads.
    var isIdle: Bool { pending.isEmpty }

    /// The loads that keep the store from being idle.
    var busyLoads: [Relux.NotIdle.BusyRun] {
        pending.values.flatMap(\.records).map { Relux.NotIdle.BusyRun(run: $0, phase: .active, waitsFor: []) }
    }

    /// The store has ended. Cancels what registrations wait for.
    ///
    /// - Returns: These registrations, which can only fail now.
    func end() -> [PendingRegistration] {
        defer { (givenStates, pending, loading) = ([:], [:], [:]) }
        let waiting = pending.values.sorted { $0.number < $1.number }
        agenda.cancellations += waiting.compactMap(\.task)
        return waiting
    }

    func setTask(_ task: Task<Void, Never>, of number: UInt64) { pending[number]?.task = task }

    /// Cancels what a registration waits for. It then fails.
    func cancelLoad(_ number: UInt64) {
        if let task = pending[number]?.task { agenda.cancellations.append(task) }
    }

    /// Cancels the load of a child that is no longer wanted. Nobody waits for it any more.
    func abandon(_ number: UInt64) {
        if let registration = pending[number] { setLoads(nil, of: registration) }
        cancelLoad(number)
    }

    /// The savings of a replaced module, with the persistences that continue them, and where: those of the same states,
    /// in places where nothing else is saved or loaded.
    func continuedSavings(
        with new: ModulePlan.Entry
    ) throws(Relux.StoreError) -> [(saving: Saving, persistence: any Relux.StatePersistence, place: SavingPlace)] {
        let module = new.blueprint.module
        let present = new.registration.cells.compactMap { savings.saving(of: $0) }
        guard new.persisted.count == present.count else { throw .otherStates(of: module) }
        return try new.persisted.map { (place, request) throws(Relux.StoreError) in
            let state = request.persistence.state
            guard let own = present.first(where: { $0.state == state }) else { throw .otherStates(of: module) }
            if let other = savings.saving(at: place), other !== own { throw .savedTwice(other.state, and: state) }
            if loading[place] != nil { throw .savedTwice(state, and: state) }
            return (own, request.persistence, place)
        }
    }

    /// What has to be done, outside the store, before a plan is carried out; nil if there is nothing.
    func load(
        for plan: borrowing ModulePlan, _ registration: consuming PendingRegistration
    ) throws(Relux.StoreError) -> LoadWork? {
        var requests: [ModulePlan.PersistedState] = []
        var given: Set<ObjectIdentifier> = []
        let persisted = plan.entries.flatMap(\.persisted)
        for (place, request) in persisted {
            let state = request.persistence.state
            var busy = loading[place]
            if let other = savings.saving(at: place) {
                guard other.isEnding else { throw .savedTwice(other.state, and: state) }
                savings.tryOnceMore(other)
                busy = savings.end(of: [other])
            }
            if let busy {
                // The loaded values may be saved before it is this one's turn.
                registration.loaded = [:]
                keep(registration, plan, loading: [state])
                return { [busy] in
                    await busy.waitUnlessCancelled() != nil
                        ? LoadOutcome()
                        : LoadOutcome(found: .failure(.notLoaded(state, .unavailable(CancellationError()))))
                }
            }
            // The first state of a type gets the value of the configuration, and isn't loaded.
            let id = ObjectIdentifier(state)
            if givenStates[id] != nil, given.insert(id).inserted { continue }
            if registration.loaded[place] == nil { requests.append((place, request)) }
        }
        guard !requests.isEmpty else { return nil }
        registration.places = persisted.map(\.place)
        registration.records = requests.map { _, request in
            Relux.RunRecord(
                id: numbers.next(), kind: .load, saga: request.persistence.state, trigger: nil,
                callSite: registration.site
            )
        }
        let end = Group()
        for place in registration.places { loading[place] = end }
        keep(registration, plan, loading: requests.map(\.request.persistence.state))
        return { [requests] in await LoadRequest.load(requests) }
    }

    /// Keeps a registration that can't go on, and lets readers of its instances wait.
    private func keep(
        _ registration: consuming PendingRegistration, _ plan: borrowing ModulePlan,
        loading states: [any Relux.State.Type]
    ) {
        registration.instances = plan.listed.compactMap { $0.isConnected ? nil : $0.instance }
        setLoads(states, of: registration)
        pending[registration.number] = registration
    }

    /// - Parameter states: The states that are being loaded for the instances of a registration; nil if nobody waits
    ///   for the instances any more, because they are there, or are no longer wanted.
    private func setLoads(_ states: [any Relux.State.Type]?, of registration: PendingRegistration) {
        for instance in registration.instances {
            guard let address = instance.address, let holder = instance.parent, holder.isOpen else { continue }
            holder.makeGroup(of: address.module).setLoads(states, of: address.id, by: registration.number)
            if states == nil { readers.noteInstances(around: instance) }
        }
    }

    /// A registration goes on after its loads or its wait.
    ///
    /// - Returns: Nil if the store has ended since.
    func proceed(_ number: UInt64) -> PendingRegistration? {
        guard var registration = pending.removeValue(forKey: number) else { return nil }
        setLoads(nil, of: registration)
        // All of them have the same one.
        let ends = registration.places.compactMap { loading.removeValue(forKey: $0) }
        ends.first?.sealAlone()
        (registration.places, registration.records) = ([], [])
        return registration
    }
}
