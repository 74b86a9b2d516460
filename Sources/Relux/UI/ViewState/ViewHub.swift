import Synchronization

/// A view state, as the hub updates it. It calls these functions in this order.
@MainActor
protocol ViewUpdating: AnyObject {
    var apply: ((@MainActor () -> Void) -> Void)? { get }

    /// Determines which of the sets that were made since the last call were refused.
    ///
    /// - Returns: Whether one was refused, so that observers must be called even if the value is equal.
    func settleSets() -> Bool
    /// Calls `willChange`.
    func announce()
    /// Calls the `onChange` of `Observation`.
    func notifyObservation()
    /// Shows the next value.
    func change()
    /// Calls `didChange` and the observers.
    func conclude()
    /// Shows the next value, and calls nothing but the end of the change in `Observation`.
    func changeSilently()
}

/// Updates all view states of a store together, so that they show the same point of the total order.
///
/// - Isolation: The main actor, or the substitute that a simulation provides.
/// - Lifetime: View states keep it alive. It doesn't keep the store alive.
@MainActor
final class ViewHub: FollowerHost {
    private nonisolated let core: Core
    private nonisolated let isTurnRequested = Atomic(false)
    private var openSets: [any ViewUpdating] = []
    private var isUpdating = false
    private var needsRound = false
    /// Called when the update that is in progress has ended.
    private var completions: [@MainActor () -> Void] = []

    private init(_ core: Core) {
        self.core = core
    }

    /// The hub of a store, created if there is none. Only here, so no other is created meanwhile.
    private static func hub(of core: Core) -> ViewHub {
        if let known = core.followerHost.withLock({ $0.host }) as? ViewHub { return known }
        let hub = ViewHub(core)
        core.followerHost.withLock { $0.host = hub }
        return hub
    }

    /// Creates a view state, which shows the same point of the total order as all others of its store.
    static func viewState<Value>(
        _ query: StateQuery<Value>, _ handle: Relux.StoreHandle, at site: Relux.CallSite
    ) throws(Relux.StoreError) -> Relux.UI.ViewState<Value> {
        // First, so that later changes are passed on.
        let hub = hub(of: handle.core)
        let (follower, value) = try handle.follow(query, at: site)
        let state = Relux.UI.ViewState(follower, of: hub, showing: value)
        follower.client = state
        hub.update(applying: true)
        return state
    }

    nonisolated func forget(_ follower: any AnyFollower) {
        core.post { _ in follower.stopFollowing() }
    }

    // MARK: Turns

    nonisolated var isCurrent: Bool { core.mainActor.isCurrent() }

    nonisolated func requestUpdate() {
        guard !isTurnRequested.exchange(true, ordering: .acquiringAndReleasing) else { return }
        core.mainActor.enqueue { [self] in
            isTurnRequested.store(false, ordering: .releasing)
            update(applying: true)
        }
    }

    nonisolated func updateNow() {
        MainActorContext.assumeCurrent { update(applying: false) }
    }

    // MARK: Updating

    /// Brings all view states up to date. If an update is in progress, it does so in a further round.
    ///
    /// - Parameters:
    ///   - applying: Whether the change goes through the `apply` closures.
    ///   - completion: Called afterwards.
    func update(applying: Bool, completion: (@MainActor () -> Void)? = nil) {
        if let completion { completions.append(completion) }
        needsRound = true
        guard !isUpdating else { return }
        isUpdating = true
        var rounds = 0
        while needsRound, rounds <= Self.furtherRounds {
            needsRound = false
            makeRound(applying: applying && rounds == 0)
            rounds += 1
        }
        if needsRound { cutOff() }
        isUpdating = false
        guard !completions.isEmpty else { return }
        let completions = completions
        self.completions = []
        for completion in completions { completion() }
    }

    /// How many further rounds an update has at most.
    private static let furtherRounds = 1_000

    /// Ends an update that would go on forever: brings the values up to date once more, so that all of them show the
    /// same point, and calls nothing but `Observation`.
    private func cutOff() {
        Relux.StoreHandle(core).report(.endlessUpdates)
        for state in openSets { _ = state.settleSets() }
        openSets = []
        for observes in [true, false] where needsRound {
            needsRound = false
            let states = refresh()?.compactMap { $0.client as? any ViewUpdating } ?? []
            if observes { for state in states { state.notifyObservation() } }
            for state in states { state.changeSilently() }
        }
        needsRound = false
    }

    /// Brings the followers up to date.
    ///
    /// - Returns: Those whose next value differs from the shown one; nil inside a store.
    private func refresh() -> [any AnyFollower]? {
        var refreshed: [any AnyFollower] = []
        let isMade = core.enterNow(as: .outside) { core, _ in
            refreshed = core.readers.refresh()
        }
        return isMade ? refreshed : nil
    }

    private func makeRound(applying: Bool) {
        // Otherwise, inside a store, from which the main actor will return.
        guard let refreshed = refresh() else { return requestUpdate() }
        let sets = openSets
        openSets = []
        var changing = refreshed.compactMap { $0.client as? any ViewUpdating }
        for state in sets where state.settleSets() && !changing.contains(where: { $0 === state }) {
            changing.append(state)
        }
        if !changing.isEmpty { Self.change(changing, applying: applying) }
    }

    /// Changes a view state that belongs to no store. Sets by its observers are settled in further rounds.
    ///
    /// - Returns: Whether the update has ended by itself, and was not cut off.
    static func update(_ state: any ViewUpdating) -> Bool {
        for _ in 0...furtherRounds {
            guard state.settleSets() else { return true }
            change([state], applying: false)
        }
        return !state.settleSets()
    }

    private static func change(_ states: [any ViewUpdating], applying: Bool) {
        for state in states { state.announce() }
        var isChanged = false
        func change() {
            guard !isChanged else { return }
            isChanged = true
            for state in states { state.notifyObservation() }
            for state in states { state.change() }
        }
        if applying { enclose(change, in: states.compactMap(\.apply)[...]) }
        change()
        for state in states { state.conclude() }
    }

    private static func enclose(
        _ change: @MainActor () -> Void, in closures: ArraySlice<(@MainActor () -> Void) -> Void>
    ) {
        guard let first = closures.first else { return change() }
        first { enclose(change, in: closures.dropFirst()) }
    }

    // MARK: Sets

    /// Notes a set whose result the next round determines.
    func setsAreOpen(of state: any ViewUpdating) { openSets.append(state) }

    /// Reports a set that does nothing.
    ///
    /// - Parameter action: The action that it would have dispatched; nil if it made no action.
    func reportLateBinding(_ action: (any Relux.Action)?, at site: Relux.CallSite) {
        Relux.StoreHandle(core).report(.lateBinding, action: action, at: site)
    }

    func dispatcher(of follower: any AnyFollower) -> Relux.Dispatcher {
        Relux.Dispatcher(core, in: follower.caller.scope)
    }

    /// Dispatches the action of a set, unless the shown value no longer exists.
    ///
    /// - Returns: Whether it exists.
    func dispatch(
        _ action: some Relux.Action, to dispatcher: Relux.Dispatcher?, from follower: any AnyFollower,
        at site: Relux.CallSite
    ) -> Bool {
        let handle = (dispatcher ?? self.dispatcher(of: follower)).handle
        if handle.core === core {
            return handle.dispatchNow(action, at: site, ifPresent: follower)
        }
        let isPresent = Relux.StoreHandle(core).isPresent(follower, for: action, at: site)
        if isPresent { _ = handle.dispatchNow(action, at: site) }
        return isPresent
    }
}
