/// Everything that one type of action concerns in a scope: its reducers, sagas, and streams.
///
/// The store looks a route up by the action's type and calls what it lists. Nothing else is consulted.
///
/// What it lists is stored without the type of the action. In unspecialised generic code, an array of a generic class
/// costs a metadata lookup with each access.
///
/// - Isolation: The core's.
final class Route {
    let action: any Relux.Action.Type
    /// The scope, which holds this.
    unowned let scope: ScopeNode
    let isEffect: Bool
    /// The type of the actions, if they are those of instances as the scope around them names them.
    let childAction: (any AnyChildAction.Type)?
    /// Whether the actions name an instance, which is looked up.
    let isAddressed: Bool
    // exclusivity(unchecked): see `ScopeNode.routes`.
    @exclusivity(unchecked) private var bindings: [AnyReducerBinding] = [] { didSet { noteContents() } }
    private(set) var runners: [SagaRunner] = [] { didSet { noteContents() } }
    private(set) var rules: [RuleBinding] = [] { didSet { noteContents() } }
    /// What listens to the actions that are taken here, in the order in which the instances were opened.
    private(set) var listeners: [Route] = [] { didSet { noteContents() } }
    /// For a route that listens: the one whose actions it hears.
    var heard: Route?
    private(set) var streams = ArrivalList<any AnyStreamBuffer>() { didSet { noteContents() } }

    // Stored, because every action asks.
    /// Whether a module takes the action.
    private(set) var isTaken = false
    /// Whether listeners or streams hear the action.
    private(set) var isHeard = false
    /// Whether the action is done when its reducers have run and its streams have it, unless their cells concern more.
    private(set) var concernsOnlyReducers = false
    /// The states whose reducers the action runs, each once, in the order of its first reducer.
    private(set) var states: [any Relux.State.Type] = []

    init(of action: any Relux.Action.Type, in scope: ScopeNode) {
        (self.action, self.scope) = (action, scope)
        isEffect = action is any Relux.Effect.Type
        childAction = action as? any AnyChildAction.Type
        isAddressed = childAction != nil || action == Relux.Dismissal.self
    }

    var key: ObjectIdentifier { ObjectIdentifier(action) }

    private func noteContents() {
        isTaken = !bindings.isEmpty || !runners.isEmpty || !rules.isEmpty
        isHeard = !streams.isEmpty || !listeners.isEmpty
        concernsOnlyReducers =
            !isEffect && runners.isEmpty && !bindings.isEmpty && rules.isEmpty && listeners.isEmpty
    }

    var isUnused: Bool { !isTaken && !isHeard }

    var flow: SagaRunner? { runners.first { $0.isFlow } }

    // MARK: Reducers

    /// The cells whose reducers the action runs, once for each reducer.
    var cells: [AnyStateCell] { bindings.map(\.cell) }

    /// The instances that follow one of the states whose reducers the action runs.
    var children: [any AnyChildrenBinding] {
        var seen: Set<ObjectIdentifier> = []
        return cells.filter { seen.insert(ObjectIdentifier($0)).inserted }.flatMap(\.children)
    }

    /// The module of the state whose own actions these are; nil if there is none here.
    var stateOwner: (any Relux.Module.Type)? { bindings.first { $0.isOwn }?.owner.module }

    /// Runs all reducers, in the order of their modules.
    ///
    /// - Parameter action: Of the type of the route.
    /// - Returns: What the changed states concern.
    func reduce<A: Relux.Action>(_ action: A) -> Concerns {
        var concerns: Concerns = []
        for binding in bindings { concerns.formUnion(binding.reduce(action)) }
        return concerns
    }

    func add(_ binding: AnyReducerBinding) {
        // Usually at the end. A module that is replaced keeps its place.
        let index = bindings.lastIndex { $0.owner.generation <= binding.owner.generation }.map { $0 + 1 } ?? 0
        bindings.insert(binding, at: index)
        updateStates()
    }

    private func updateStates() {
        var named: Set<ObjectIdentifier> = []
        states = cells.map(\.state).filter { named.insert(ObjectIdentifier($0)).inserted }
    }

    // MARK: Sagas and rules

    func add(_ runner: SagaRunner) { runners.append(runner) }

    func add(_ rule: RuleBinding) { rules.append(rule) }

    /// Removes the reducers, sagas, flows, and rules that a module lists.
    ///
    /// - Parameter keepsOwn: Whether the own reducers of its states stay.
    func removeHandlers(of module: ModuleRegistration, keepingOwnReducers keepsOwn: Bool) {
        bindings.removeAll { $0.owner === module && !(keepsOwn && $0.isOwn) }
        runners.removeAll { $0.owner === module }
        rules.removeAll { $0.owner === module }
        updateStates()
    }

    func hasReducers(of module: ModuleRegistration) -> Bool { bindings.contains { $0.owner === module } }

    // MARK: Listeners

    func add(listener: Route) {
        let index = listeners.lastIndex { $0.scope.serial <= listener.scope.serial }.map { $0 + 1 } ?? 0
        listeners.insert(listener, at: index)
    }

    func remove(listener: Route) { listeners.removeAll { $0 === listener } }

    // MARK: Streams

    /// - Returns: The stream's place.
    func add(_ stream: any AnyStreamBuffer) -> UInt64 { streams.append(stream) }

    func removeStream(at place: UInt64) { streams.remove(place) }

    /// Appends an action to the streams.
    func deliver(_ action: some Relux.Action, number: UInt64) {
        streams.forEach { _, stream in stream.deliver(action, number: number) }
    }
}
