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
    let whenOver: (Result<[ModuleRegistration], Relux.StoreError>) -> Void

    /// The values that have been loaded so far.
    var loaded: [SavingPlace: Loaded] = [:]
    /// The places that nothing else loads or saves meanwhile.
    var places: [SavingPlace] = []
    /// The instances that are being loaded, which are not open.
    var instances: [ScopeNode] = []
    /// The loads under way, for records.
    var records: [Relux.RunRecord] = []
    /// The task of the store in which it loads or waits.
    var task: Task<Void, Never>?
}

/// Loads states, or waits for whatever else is loading or saving one of them.
typealias LoadWork = @Sendable () async -> LoadOutcome<SavingPlace>
