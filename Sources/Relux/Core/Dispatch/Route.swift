/// Everything that one type of action concerns in a scope: its reducers, sagas, and streams.
///
/// The store looks a route up by the action's type and calls what it lists. Nothing else is consulted.
///
/// Its contents are stored without the type of the action. In unspecialised generic code, an array of a generic class
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
    /// Whether these are the handlers in an instance that listen to the scopes around it.
    let isListening: Bool
    // exclusivity(unchecked): no access spans a call of user code that could come back here.
    @exclusivity(unchecked) private var bindings: [AnyReducerBinding] = [] {
        didSet {
            noteContents()
            states = states { _ in true }.map { .init(type: $0.state, owner: $0.owner.content.address) }
        }
    }
    private(set) var runners: [SagaRunner] = [] { didSet { noteContents() } }
    private(set) var rules: [RuleBinding] = [] { didSet { noteContents() } }
    /// Routes that listen to the actions taken here, by their scopes, in the order in which these were opened.
    var listeners = ArrivalList<Route>() { didSet { noteContents() } }
    /// For a route that listens: the one whose actions it hears.
    private(set) var heard: Route?
    var streams = ArrivalList<any AnyStreamBuffer>() { didSet { noteContents() } }

    // Stored, because every action asks.
    /// Whether a module takes the action.
    private(set) var isTaken = false
    /// Whether listeners or streams hear the action.
    private(set) var isHeard = false
    /// Whether runs that the action triggers listen to others from then on.
    private(set) var startsListening = false
    /// Whether the action is done when its reducers have run and its streams have it, unless its states concern more.
    private(set) var concernsOnlyReducers = false
    /// The states whose reducers the action runs, each once, in the order of its first reducer.
    private(set) var states: [Relux.ActionRecord.ReducedState] = []

    init(of action: any Relux.Action.Type, in scope: ScopeNode, listening isListening: Bool = false) {
        (self.action, self.scope, self.isListening) = (action, scope, isListening)
        isEffect = action is any Relux.Effect.Type
        childAction = action as? any AnyChildAction.Type
        isAddressed = childAction != nil || action == Relux.Dismissal.self
    }

    private func noteContents() {
        isTaken = !bindings.isEmpty || !runners.isEmpty || !rules.isEmpty
        isHeard = !streams.isEmpty || !listeners.isEmpty
        startsListening = runners.contains { !$0.listens.isEmpty }
        concernsOnlyReducers =
            !isEffect && runners.isEmpty && !bindings.isEmpty && rules.isEmpty && listeners.isEmpty
    }

    var isUnused: Bool { !isTaken && !isHeard }

    var flow: SagaRunner? { runners.first { $0.isFlow } }

    // MARK: Reducers

    /// The states whose reducers the action runs and that meet a condition, each once, in the order of the reducers.
    func states(where isIncluded: (AnyStateCell) -> Bool) -> [AnyStateCell] {
        var seen: Set<ObjectIdentifier> = []
        return bindings.map(\.cell).filter { isIncluded($0) && seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// The module of the state whose own actions these are; nil if there is none here.
    var stateOwner: (any Relux.Module.Type)? { bindings.first { $0.isOwn }?.owner.module }

    /// Runs all reducers, in the order of their modules, notes the states that they change, and delivers the action to
    /// the streams.
    ///
    /// - Parameter action: Of the type of the route.
    /// - Returns: Who is concerned by the changes before their readers are.
    func reduce<A: Relux.Action>(_ action: A, numbered number: UInt64, noting readers: Readers) -> Concerns {
        var concerns: Concerns = []
        for binding in bindings {
            binding.reduce(action)
            let source = binding.cell.source
            source.markChanged()
            if source.isFollowed { readers.note(source) }
            concerns.formUnion(binding.cell.concerns)
        }
        // Streams come before instances: those of an instance that is closed now still get the action, and those of one
        // that is opened now don't.
        if isHeard { for stream in streams { stream.deliver(action, number: number) } }
        return concerns
    }

    func add(_ binding: AnyReducerBinding) {
        // Usually at the end. A module that is replaced keeps its place.
        let index = bindings.lastIndex { $0.owner.generation <= binding.owner.generation }.map { $0 + 1 } ?? 0
        bindings.insert(binding, at: index)
    }

    // MARK: Sagas and rules

    func add(_ runner: SagaRunner) { runners.append(runner) }

    func add(_ rule: RuleBinding) { rules.append(rule) }

    /// Removes the reducers, sagas, flows, and rules that a module lists.
    ///
    /// - Parameters:
    ///   - gone: Its sagas and flows.
    ///   - keepsOwn: Whether the own reducers of its states stay.
    func removeHandlers(of module: Owner, _ gone: [SagaRunner], keepingOwnReducers keepsOwn: Bool) {
        bindings.removeAll { $0.owner === module && !(keepsOwn && $0.isOwn) }
        runners.removeAll { runner in gone.contains { $0 === runner } }
        rules.removeAll { $0.owner === module }
    }

    func hasReducers(of module: Owner) -> Bool { bindings.contains { $0.owner === module } }

    // MARK: Listeners

    /// Hears the actions of another route in place of those that it has heard so far.
    func hear(_ other: Route?) {
        guard other !== heard else { return }
        let earlier = heard
        heard = other
        other?.listeners.insert(self, as: scope.serial)
        guard let earlier else { return }
        earlier.listeners.remove(scope.serial)
        earlier.scope.removeIfUnused(earlier)
    }
}
