/// A registration that may have to wait for the states of its modules to be loaded.
///
/// - Isolation: The core's.
struct PendingRegistration {
    let number: UInt64
    /// Their properties are not read again after the loads.
    let modules: [ModuleBlueprint]
    let holder: ModuleRegistration.Holder
    let site: Relux.CallSite
    /// Looks up where it takes place, again after the loads; nil if nobody wants it any more.
    let scope: () throws(Relux.StoreError) -> ScopeNode?
    /// Called with the listed modules, or with why they were not registered.
    var whenOver: (Result<[ModuleRegistration], Relux.StoreError>) -> Void = { _ in }

    /// What has been loaded so far.
    var loaded: [SavingPlace: Loaded] = [:]
    /// The places that nothing else loads or saves meanwhile.
    var places: [SavingPlace] = []
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
    /// To load states, or to wait for another registration that is loading or saving one, and then to try again.
    case later(number: UInt64, Work)

    typealias Work = nonisolated(nonsending) @Sendable () async -> Result<[SavingPlace: Loaded], Relux.StoreError>
}

/// Registering modules whose states have to be loaded.
extension Core {
    /// Starts a registration. Without states to be loaded, it is done at once.
    func register(_ registration: PendingRegistration) -> RegistrationStep {
        do throws(Relux.StoreError) {
            guard let scope = try registration.scope() else { return .done(.success(nil)) }
            let plan = try ModulePlan(
                for: registration.modules, in: scope, allowingFlowsOfChildActions: takesAddressedActions
            )
            if let step = try load(for: plan, registration) { return step }
            connect(plan, heldBy: registration.holder, having: registration.loaded, at: registration.site)
            registration.whenOver(.success(plan.listed))
            return .done(.success(plan.listed.first?.id))
        } catch {
            registration.whenOver(.failure(error))
            return .done(.failure(error))
        }
    }

    /// What has to be loaded before a plan is carried out; nil if nothing.
    private func load(
        for plan: borrowing ModulePlan, _ registration: PendingRegistration
    ) throws(Relux.StoreError) -> RegistrationStep? {
        var requests: [(place: SavingPlace, request: LoadRequest)] = []
        var states: [SavingPlace: any Relux.State.Type] = [:]
        var given: Set<ObjectIdentifier> = []
        for entry in plan.entries where !ignoresPersistence {
            for persistence in entry.blueprint.persistence {
                let (state, id) = (persistence.state, ObjectIdentifier(persistence.state))
                let place = SavingPlace(of: persistence, in: entry.registration.content.address)
                if let other = states.updateValue(state, forKey: place) { throw .savedTwice(other, and: state) }
                if let other = savings.saving(at: place) {
                    guard other.isEnding else { throw .savedTwice(other.state, and: state) }
                    tryOnceMore(other)
                    return wait(for: other.end, state, registration)
                }
                if let other = savings.loading[place].flatMap({ savings.registrations[$0] }) {
                    return wait(for: other.isOver, state, registration)
                }
                // The first state of a type gets the value of the configuration, and isn't loaded.
                if givenStates[id] != nil, given.insert(id).inserted { continue }
                guard registration.loaded[place] == nil,
                    let initial = entry.blueprint.states.first(where: { type(of: $0) == state })
                else { continue }
                requests.append((place, LoadRequest(persistence: persistence, initial: initial)))
            }
        }
        guard !requests.isEmpty else { return nil }
        var registration = registration
        registration.places = Array(states.keys)
        registration.records = requests.map { _, request in
            Relux.RunRecord(
                id: runs.nextRun(), kind: .load, saga: request.persistence.state, trigger: nil,
                callSite: registration.site
            )
        }
        for place in registration.places { savings.loading[place] = registration.number }
        savings.registrations[registration.number] = registration
        return .later(number: registration.number) { [requests] in
            // On nobody's behalf, although the caller may wait for it.
            await CurrentRun.$inherited.withValue(.noRun(of: self)) {
                await LoadRequest.load(requests.map(\.request), on: self.carrier)
            }.map { Dictionary(zip(requests.map(\.place), $0)) { _, last in last } }
        }
    }

    private func wait(
        for signal: Signal, _ state: any Relux.State.Type, _ registration: PendingRegistration
    ) -> RegistrationStep {
        var registration = registration
        // What was loaded may be saved before it is this one's turn.
        (registration.loaded, registration.records) = ([:], [])
        savings.registrations[registration.number] = registration
        return .later(number: registration.number) {
            await signal.waitUnlessCancelled()
                ? .success([:]) : .failure(.notLoaded(state, .unavailable(CancellationError())))
        }
    }

    /// Continues a registration after its loads or its wait.
    private func proceed(
        _ number: UInt64, _ loaded: Result<[SavingPlace: Loaded], Relux.StoreError>
    ) -> RegistrationStep {
        // Each number is continued by one task, and stays until then.
        guard var registration = savings.registrations.removeValue(forKey: number) else { return .done(.success(nil)) }
        for place in registration.places { savings.loading[place] = nil }
        registration.places = []
        registration.isOver.fire()
        registration.isOver = Signal()
        switch loaded {
        case .success(let values):
            registration.loaded.merge(values) { _, new in new }
            return register(registration)
        case .failure(let error):
            registration.whenOver(.failure(error))
            return .done(.failure(error))
        }
    }

    /// Loads and waits outside the store until a registration is done.
    nonisolated(nonsending) func finish(
        _ step: RegistrationStep
    ) async -> Result<AnySendableHashable?, Relux.StoreError> {
        var step = step
        while true {
            switch step {
            case .done(let result): return result
            case .later(let number, let work):
                let loaded = await work()
                step = await enter(as: .outside) { core, _ in core.proceed(number, loaded) }
            }
        }
    }

    /// Finishes the registration of a child in a task of the store, unless it is done.
    func finishLater(_ step: RegistrationStep) {
        guard case .later(let number, _) = step else { return }
        savings.registrations[number]?.task = Task.detached(executorPreference: carrier) { _ = await self.finish(step) }
    }

    /// Cancels the loads of a child that is no longer wanted. Its registration then fails.
    func cancelLoads(of number: UInt64) {
        if let task = savings.registrations[number]?.task { leftovers.cancellations.append(task) }
    }
}
