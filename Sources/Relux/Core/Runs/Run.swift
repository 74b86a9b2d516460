import Synchronization

/// One run: a trigger, and what has become of it. Its task and its contexts know it, and the ``RunTable`` decides.
///
/// A trigger that has joined another run is a run, too, without a task: it ends as that one does.
///
/// - Lifetime: A context that is kept also keeps this, but no saga or other run once it has ended.
// @unchecked Sendable: what changes once the run has a task is the core's, which only calls from inside.
final class Run: ActingRun, Hashable, @unchecked Sendable {
    /// Does the work of a run, in its task. Returns the output of an effect; nil if the run answers none.
    typealias Work = @Sendable (Run) async throws -> (any Sendable)?

    let id: RunID
    let core: Core
    let kind: Relux.RunRecord.Kind
    /// The type of the saga, flow, or watcher; of a timeout, that of the run around it.
    let saga: Any.Type
    /// Nil for watchers and the bodies of timeouts.
    let trigger: (any Relux.Action)?
    let triggerSequence: UInt64?
    let site: Relux.CallSite
    /// The instance to which the run belongs; nil for the root.
    let scope: ScopeAddress?
    let scopeSerial: UInt64
    let policy: Relux.Policy
    /// Whether the run's task prefers an executor. Its child tasks then do as well, but not the tasks it leaves behind.
    let marksChildTasks: Bool
    /// Whether a rule has added the action to a performed one. The performer waits for the run, unless it is cancelled
    /// itself, but the run neither answers the effect nor is cancelled with it.
    let isAside: Bool
    private let draws = Atomic<UInt64>(0)
    private let hasBegun = Atomic(false)

    // The table sets these on admission, before the run has a task.

    /// Fires when a queued or pending run starts; nil for a run that starts at once.
    var turn: Signal?
    /// When a pending run starts at the latest.
    var deadline: Duration?

    // The table changes the rest.

    var phase = RunPhase.pending
    /// The saga to which it belongs, also if it is in a timeout; nil once the run has ended.
    var runner: SagaRunner?
    /// The group of what its action has triggered; nil once the trigger has ended or was withdrawn.
    var group: Group?
    /// Nil if the policy relates the run to no other, and once it has finished.
    var lane: RunLane?
    /// Nil until it has been created, which is right after the admission.
    var task: Task<Void, Never>?
    /// The shared triggers that have joined the run, in order.
    var joined = ArrivalList<Run>()
    /// The groups of what the run's task performs. They are cancelled with it.
    var performed = ArrivalList<Group>()
    /// The groups that the run's task awaits, once for each wait.
    var awaited = ArrivalList<Group>()
    /// Further groups that wait for the run.
    var drains: [Group] = []
    /// The waits that end with the run, because they were made through its context. The closures end them.
    var waits = ArrivalList<() -> Void>()
    /// The streams that were made through its context, which end when it finishes.
    var streams = ArrivalList<any AnyStreamBuffer>()
    /// The actions that it listens to, kept until a stream claims them, by their types: those of a watcher from the
    /// registration of its module on, those of a saga or flow since its trigger.
    var kept: [ObjectIdentifier: any AnyStreamBuffer] = [:]

    /// - Parameters:
    ///   - kind: What it is, if it is no run of the saga itself.
    ///   - policy: The saga's policy for the trigger.
    ///   - prefersExecutor: Whether its task prefers an executor in any case.
    init(
        _ id: RunID, _ runner: SagaRunner, as kind: Relux.RunRecord.Kind? = nil, on trigger: (any Relux.Action)?,
        numbered triggerSequence: UInt64?, at site: Relux.CallSite, in scope: ScopeAddress?,
        numbered scopeSerial: UInt64, policy: Relux.Policy, isAside: Bool = false, prefersExecutor: Bool, _ core: Core
    ) {
        (self.id, self.runner, self.kind, saga, self.core) = (id, runner, kind ?? runner.kind, runner.saga, core)
        (self.trigger, self.triggerSequence, self.site) = (trigger, triggerSequence, site)
        (self.scope, self.scopeSerial, self.policy, self.isAside) = (scope, scopeSerial, policy, isAside)
        // A preference only where it is needed: with one, each call of an actor would switch threads. Needed where the
        // policy may let the run wait for another one. A watcher has a lane of its own, in which it performs nothing.
        marksChildTasks = prefersExecutor || self.kind != .watcher && policy.kind.letsRunsWait
        CurrentRun.noteExistence()
    }

    var record: Relux.RunRecord {
        Relux.RunRecord(
            id: id, kind: kind, saga: saga, trigger: trigger, triggerSequence: triggerSequence, callSite: site,
            scope: scope.map { Relux.Scope(core, $0) }
        )
    }

    /// Whether the run answers the effect that is awaited: a flow, or the body of a timeout.
    var isAnswering: Bool { kind == .flow || kind == .timeout }

    /// Whether the run keeps the store from being idle.
    var isBusy: Bool { kind != .watcher && !policy.isBackground }

    var isActive: Bool { phase == .active }

    /// The run that does the work: the one that this trigger has joined, otherwise itself.
    var target: Run { if case .joined(let run) = phase { run } else { self } }

    /// The triggers for which the run works: those that have joined it, and its own, unless that was withdrawn.
    var triggers: [Run] { group == nil ? joined.elements : [self] + joined.elements }

    /// The run that performs it; nil if none does, or none that may still write.
    var performer: Run? { isAside ? nil : group?.performer }

    /// The group of what is performed together with it, and what it therefore doesn't supersede; nil if nothing is.
    var siblings: Group? { isAside || group?.isPerformed != true ? nil : group }

    /// The run that a timeout is in; otherwise the run itself.
    var owner: Run {
        var owner = self
        while owner.kind == .timeout, let performer = owner.group?.performer { owner = performer }
        return owner
    }

    /// The identity of the run, for its task.
    var identity: RunIdentity { RunIdentity(core: core.number, run: id, marksChildTasks: marksChildTasks) }

    /// The body of the run is about to begin, or never will, because the run was halted.
    ///
    /// - Returns: Whether neither has been said before.
    @discardableResult
    func begin() -> Bool { !hasBegun.exchange(true, ordering: .relaxed) }

    /// The next random number of the run, at least 0 and below 1.
    func draw(seed: UInt64) -> Double {
        let index = id &* 0x1_0000 &+ draws.add(1, ordering: .relaxed).newValue
        return Double(SplitMix64.number(at: seed &+ index &* SplitMix64.increment) >> 11) * 0x1p-53
    }

    static func == (lhs: Run, rhs: Run) -> Bool { lhs === rhs }

    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Some runs, usually at most one.
struct RunSet {
    private var only: Run?
    /// All of them, if they are several.
    private var several = NumberMap<Run>()

    var count: Int { only == nil ? several.count : 1 }
    var isEmpty: Bool { count == 0 }

    /// In the order of their numbers.
    var sorted: [Run] { only.map { [$0] } ?? several.values.sorted { $0.id < $1.id } }

    mutating func insert(_ run: Run) {
        guard !isEmpty else { return only = run }
        if let first = only.take() { several[first.id] = first }
        several[run.id] = run
    }

    /// - Returns: Whether none is left.
    @discardableResult
    mutating func remove(_ run: Run) -> Bool {
        if only === run { only = nil } else { several.removeValue(forKey: run.id) }
        return isEmpty
    }
}
