/// Everything that one type of action concerns in a scope: its reducers, sagas, and streams.
///
/// The store looks a route up by the action's type and calls what it lists. Nothing else is consulted.
///
/// What it lists is stored without the type of the action. In unspecialised generic code, an array of a generic class
/// costs a metadata lookup with each access.
///
/// - Isolation: The core's.
final class Route {
    /// The number of the route in its scope, in order of creation.
    let serial: UInt64
    /// The type of the actions.
    let key: ObjectIdentifier
    let isEffect: Bool
    /// The type of the actions, if they are those of instances as the scope around them names them.
    let childAction: (any AnyChildAction.Type)?
    // exclusivity(unchecked): as with `Core.sequence`.
    @exclusivity(unchecked) private var bindings: [AnyReducerBinding] = []
    private(set) var runners: [AnySagaRunner] = []
    private var streamList = ArrivalList<any AnyStreamBuffer>()
    /// The states whose reducers the action runs, each once, in the order of its first reducer.
    private(set) var states: [any Relux.State.Type] = []

    init<A: Relux.Action>(of action: A.Type, serial: UInt64) {
        self.serial = serial
        key = ObjectIdentifier(action)
        isEffect = action is any Relux.Effect.Type
        childAction = action as? any AnyChildAction.Type
    }

    /// Whether a module takes the action.
    var isTaken: Bool { !bindings.isEmpty || !runners.isEmpty }

    var isUnused: Bool { !isTaken && streamList.isEmpty }

    /// Whether the action is done when its reducers have run and its streams have it.
    var concernsOnlyReducers: Bool { !isEffect && runners.isEmpty && !bindings.isEmpty }

    var flow: AnySagaRunner? { runners.first { $0.isFlow } }

    // MARK: Reducers

    /// The cells whose reducers the action runs, once for each reducer.
    var cells: [AnyStateCell] { bindings.map(\.cell) }

    /// The instances that follow one of the states whose reducers the action runs.
    var children: [AnyChildrenBinding] {
        guard bindings.contains(where: { !$0.cell.children.isEmpty }) else { return [] }
        var seen: Set<ObjectIdentifier> = []
        return cells.filter { seen.insert(ObjectIdentifier($0)).inserted }.flatMap(\.children)
    }

    /// Runs all reducers, in the order of their modules.
    ///
    /// - Parameter action: Of the type of the route.
    /// - Returns: Whether a reader waits for one of their states.
    func reduce<A: Relux.Action>(_ action: A) -> Bool {
        var isAwaited = false
        for binding in bindings where binding.reduce(action) { isAwaited = true }
        return isAwaited
    }

    func add(_ binding: AnyReducerBinding) {
        // Usually at the end. A module that is replaced keeps its place.
        let index = bindings.lastIndex { $0.order <= binding.order }.map { $0 + 1 } ?? 0
        bindings.insert(binding, at: index)
        updateStates()
    }

    /// Removes the reducers that a module lists.
    ///
    /// - Parameters:
    ///   - module: Its generation.
    ///   - keepsOwn: Whether the own reducers of its states stay.
    func removeReducers(of module: UInt64, keepingOwn keepsOwn: Bool) {
        bindings.removeAll { $0.order == module && !(keepsOwn && $0.isOwn) }
        updateStates()
    }

    private func updateStates() {
        var named: Set<ObjectIdentifier> = []
        states = cells.map(\.state).filter { named.insert(ObjectIdentifier($0)).inserted }
    }

    // MARK: Sagas

    func add(_ runner: AnySagaRunner) { runners.append(runner) }

    func removeRunners(where isWanted: (SagaID) -> Bool) { runners.removeAll { isWanted($0.id) } }

    // MARK: Streams

    var hasStreams: Bool { !streamList.isEmpty }

    var streams: [any AnyStreamBuffer] { streamList.elements }

    /// - Returns: The stream's place.
    func add(_ stream: any AnyStreamBuffer) -> UInt64 { streamList.append(stream) }

    func removeStream(at place: UInt64) { streamList.remove(place) }

    /// Appends an action to the streams.
    func deliver(_ action: some Relux.Action, number: UInt64) {
        streamList.forEach { _, stream in stream.deliver(action, number: number) }
    }
}
