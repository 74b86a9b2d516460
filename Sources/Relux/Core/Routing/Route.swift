/// Everything that one type of action concerns: its reducers, sagas, and streams.
///
/// The store looks a route up by the action's type and calls what it lists. Nothing else is consulted.
///
/// Reducers, runners, and streams are stored without their types. In unspecialised generic code, an array of a generic
/// class costs a metadata lookup with each access.
///
/// - Isolation: The core's.
class AnyRoute {
    /// The number of the route in its store, in order of creation.
    let serial: UInt64
    /// The scope that the route belongs to; nil for the root.
    let address: ScopeAddress?
    let isEffect: Bool
    /// The type of the actions, if they are those of instances as the scope around them names them.
    let childAction: (any AnyChildAction.Type)?
    /// Whether the action concerns nothing but reducers, so that it is done when they have run.
    // exclusivity(unchecked), here and below: the core never changes a route while it uses it. The checks would cost a
    // tenth of a dispatch.
    @exclusivity(unchecked) final private(set) var isReducersOnly = false
    /// Whether the action is an effect that concerns nothing but reducers and sagas.
    @exclusivity(unchecked) final private var isPlainEffect = false
    @exclusivity(unchecked) final private(set) var hasFlow = false
    @exclusivity(unchecked) final private var bindings: [AnyReducerBinding] = []
    /// The binding of an action with a single reducer. Most actions have one, and need no loop.
    // Unmanaged: `bindings` holds it, and both change together, in `rebuild`.
    @exclusivity(unchecked) final private var loneBinding: Unmanaged<AnyReducerBinding>?
    @exclusivity(unchecked) final private(set) var runners: [AnySagaRunner] = []
    @exclusivity(unchecked) final fileprivate(set) var streams: [any AnyStreamBuffer] = []

    /// The states whose reducers the action runs, each once, in the order of its first reducer.
    final var states: [any Relux.State.Type] {
        if let loneCell { return [loneCell._withUnsafeGuaranteedRef { $0.state }] }
        var named: Set<ObjectIdentifier> = []
        return cells.map { $0.state }.filter { named.insert(ObjectIdentifier($0)).inserted }
    }

    /// Whether the states consist of plain bits, so that the reducers execute no deinitialiser of a value.
    @exclusivity(unchecked) final private(set) var isPlain = false

    /// The cell of an action with a single reducer.
    // Unmanaged: the route holds its bindings, and they hold their cells.
    @exclusivity(unchecked) final private var loneCell: Unmanaged<AnyStateCell>?

    /// A part of the last record that no observer has kept, for the next record.
    @exclusivity(unchecked) final var spareReduction: Reduction?

    fileprivate init(serial: UInt64, of action: any Relux.Action.Type, in address: ScopeAddress?) {
        self.serial = serial
        self.address = address
        isEffect = action is any Relux.Effect.Type
        childAction = action as? any AnyChildAction.Type
    }

    /// The route with its type. This function alone restores it.
    @inline(__always)
    final func route<A: Relux.Action>(for action: A.Type) -> Route<A> {
        // unsafeDowncast: the table stores and finds each route by the type of its actions.
        unsafeDowncast(self, to: Route<A>.self)
    }

    /// The type of the actions.
    var key: ObjectIdentifier { ObjectIdentifier(Never.self) }

    /// Whether a module takes the action.
    final var isTaken: Bool { !bindings.isEmpty || !runners.isEmpty }

    final var isUnused: Bool { !isTaken && streams.isEmpty }

    /// Whether instances follow one of the states whose reducers the action runs.
    final private(set) var concernsChildren = false

    final var flow: AnySagaRunner? { runners.first { $0.isFlow } }

    /// The cells whose reducers the action runs, once for each reducer.
    final var cells: [AnyStateCell] { bindings.map { $0.cell } }

    /// Whether the action is an effect that concerns nothing but reducers and sagas, and can yield an output.
    ///
    /// - Parameter output: What `perform` promises; nil for all other verbs.
    @inline(__always)
    final func takesPlainEffect(promising output: Any.Type?) -> Bool {
        isPlainEffect && (output == nil || output == Void.self || hasFlow)
    }

    // MARK: Reducing

    /// Runs all reducers.
    ///
    /// - Returns: Whether a reader waits for one of their states.
    @inline(__always)
    final func reduce<A: Relux.Action>(_ action: A) -> Bool {
        guard let loneBinding else { return !bindings.isEmpty && reduceInTurn(action) }
        return loneBinding._withUnsafeGuaranteedRef { $0.reduceUnchecked(action) }
    }

    @inline(never)
    private final func reduceInTurn<A: Relux.Action>(_ action: A) -> Bool {
        var isAwaited = false
        for binding in bindings where binding.reduceUnchecked(action) { isAwaited = true }
        return isAwaited
    }

    /// Resumes the readers that wait for what the action has changed.
    @inline(__always)
    final func wakeReaders() {
        guard let loneCell else { return wakeReadersOfAll() }
        loneCell._withUnsafeGuaranteedRef { $0.wakeReaders() }
    }

    private final func wakeReadersOfAll() {
        for binding in bindings { binding.cell.wakeReaders() }
    }

    // MARK: Records

    /// The part of a record that depends on the route. Its time is not known yet.
    @inline(__always)
    final func takeReduction(in core: isolated Core) -> Reduction {
        spareReduction.take() ?? makeReduction(in: core)
    }

    private final func makeReduction(in core: isolated Core) -> Reduction {
        Reduction(of: states, in: address.map { Relux.Scope(core, $0) }, core.clock)
    }

    // MARK: Changes

    /// - Parameter binding: A reducer for the actions of this route.
    final func add(_ binding: AnyReducerBinding) {
        // Usually at the end. A module that is replaced keeps its place.
        var index = bindings.count
        while index > 0, bindings[index - 1].order > binding.order { index -= 1 }
        if index == bindings.count { bindings.append(binding) } else { bindings.insert(binding, at: index) }
        rebuild()
    }

    /// - Parameter runner: A runner for the actions of this route.
    final func add(_ runner: AnySagaRunner) {
        runners.append(runner)
        update()
    }

    final func remove(runner id: SagaID) {
        runners.removeAll { $0.id == id }
        update()
    }

    /// - Returns: Whether the stream was there.
    final func remove(stream: any AnyStreamBuffer) -> Bool {
        guard let index = streams.firstIndex(where: { $0 === stream }) else { return false }
        streams.remove(at: index)
        update()
        return true
    }

    final func finishStreams() {
        for stream in streams { stream.finish() }
    }

    /// Removes the reducers that a module lists.
    ///
    /// - Parameters:
    ///   - module: Its generation.
    ///   - keepsOwn: Whether the own reducers of its states stay.
    final func removeReducers(of module: UInt64, keepingOwn keepsOwn: Bool) {
        bindings.removeAll { $0.order == module && !(keepsOwn && $0.isOwn) }
        rebuild()
    }

    private final func rebuild() {
        isPlain = bindings.allSatisfy { $0.isPlain }
        let lone = bindings.count == 1 ? bindings.first : nil
        loneBinding = lone.map { .passUnretained($0) }
        loneCell = lone.map { .passUnretained($0.cell) }
        spareReduction = nil
        update()
    }

    /// Brings up to date what follows from what is listed here.
    final func update() {
        hasFlow = flow != nil
        concernsChildren = bindings.contains { $0.cell.hasChildren }
        isPlainEffect = isEffect && !runners.isEmpty && streams.isEmpty && childAction == nil && !concernsChildren
        isReducersOnly =
            !bindings.isEmpty && runners.isEmpty && streams.isEmpty && !isEffect && childAction == nil
            && !concernsChildren
    }
}

/// The route of one type of action.
final class Route<A: Relux.Action>: AnyRoute {
    init(serial: UInt64, in address: ScopeAddress?) {
        super.init(serial: serial, of: A.self, in: address)
    }

    override var key: ObjectIdentifier { ObjectIdentifier(A.self) }

    /// Appends the action to the streams.
    func deliver(_ action: A) {
        // unsafeDowncast: `add` takes only streams of this type.
        for stream in streams { unsafeDowncast(stream, to: StreamBuffer<A>.self).append(action) }
    }

    func add(_ stream: StreamBuffer<A>) {
        streams.append(stream)
        update()
    }
}
