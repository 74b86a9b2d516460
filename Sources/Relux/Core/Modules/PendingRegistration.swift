/// A registration that may have to wait for the states of its modules to be loaded.
///
/// - Isolation: The core's.
struct PendingRegistration {
    let number: UInt64
    /// Their properties are not read again after the loads.
    let modules: [ModuleBlueprint]
    /// The number of the lease or of the ``ChildrenBinding`` that holds the modules; nil for their names.
    let holder: UInt64?
    let site: Relux.CallSite
    /// Looks up where it takes place, again after the loads; nil if nobody wants it any more.
    let scope: () throws(Relux.StoreError) -> ScopeNode?
    /// Called with the listed modules, or with why they were not registered.
    var whenOver: (Result<[ModuleRegistration], Relux.StoreError>) -> Void = { _ in }

    /// What has been loaded so far.
    var loaded: [SavingPlace: Loaded] = [:]
    /// The places that nothing else loads or saves meanwhile.
    var places: [SavingPlace] = []
    /// The instances that are being loaded, which are not open.
    var instances: [ScopeNode] = []
    /// The loads under way, for records.
    var records: [Relux.RunRecord] = []
    /// Fires when the places may be loaded again.
    var isOver = Signal()
    /// The task that loads, if it is the store's own.
    var task: Task<Void, Never>?
}

/// What a registration needs next.
enum RegistrationStep: Sendable {
    /// The id of the first listed module.
    case done(Result<AnySendableHashable?, Relux.StoreError>)
    /// To load states.
    case load([(place: SavingPlace, request: LoadRequest)], number: UInt64)
    /// To wait for another registration that is loading a state, or for its last save, and then to try again.
    case wait(Signal, any Relux.State.Type, number: UInt64)

    /// The number of a registration that isn't done.
    var number: UInt64? {
        switch self {
        case .done: nil
        case .load(_, let number), .wait(_, _, let number): number
        }
    }

    /// Loads or waits, outside the store.
    ///
    /// - Parameter executor: Executes the loads; nil for the global pool.
    nonisolated(nonsending) func work(
        on executor: (any TaskExecutor)?
    ) async -> Result<[SavingPlace: Loaded], Relux.StoreError> {
        switch self {
        case .done:
            return .success([:])
        case .load(let requests, _):
            return await LoadRequest.load(requests.map(\.request), on: executor).map {
                Dictionary(zip(requests.map(\.place), $0)) { _, last in last }
            }
        case .wait(let signal, let state, _):
            return await signal.waitUnlessCancelled()
                ? .success([:]) : .failure(.notLoaded(state, .unavailable(CancellationError())))
        }
    }
}
