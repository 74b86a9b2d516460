/// The things that are awaited together: the triggers of an action or a batch, the runs that a reset waits for, some
/// saves, or the idleness of the store. It collects how they end.
///
/// - Isolation: Changed inside the store, by the ``RunTable``; awaited anywhere.
/// - Lifetime: Once it is complete, it keeps no run. It keeps the store only if it belongs to a receipt.
// @unchecked Sendable: what changes is the core's. The outcome is read outside only once `end` has fired, and doesn't
// change any more from then on.
final class Group: @unchecked Sendable {
    /// The store, to which a receipt leads through its group; nil if there is no receipt.
    let core: Core?
    private let end = Signal()

    // The table changes the rest.

    /// How the members have ended so far, or, once it is complete, had ended by then.
    private(set) var outcome: GroupSummary
    /// The triggers that have not ended.
    var members = RunSet()
    /// Runs that it waits for and that aren't members. Ended ones stay in the list.
    var drained: [Run] = []
    /// The number of members that have not ended, of any kind, and one more as long as further ones can be added.
    var openCount = 1
    /// Set once it is complete or was abandoned.
    var isComplete = false
    /// The run whose task performs the action, as long as the members are cancelled with it.
    private(set) var performer: Run?
    /// The group's place among those that its performer performs.
    private var placeInPerformer: UInt64 = 0
    /// Whether it goes on without the run that has performed it: a member has superseded that, or was spared. The end
    /// of that run then leaves the group alone.
    var isOrphaned = false
    /// Whether an action that is performed, from wherever, has triggered it.
    let isPerformed: Bool
    /// The group's place among those that wait for the store to become idle; 0 if it doesn't. It then has one member,
    /// which ends when nothing is busy.
    var placeAmongIdlers: UInt64 = 0
    /// The runs whose tasks await the group, once for each wait, with its place among those that they await.
    private var waits: [(run: Run, place: UInt64)] = []

    init(answer: GroupSummary.Answer = .nobody, isPerformed: Bool = false, of core: Core? = nil) {
        (outcome, self.isPerformed, self.core) = (GroupSummary(answer: answer), isPerformed, core)
    }

    /// A group that has already ended, because nothing was triggered.
    convenience init(refusal: Relux.EffectError) {
        self.init()
        outcome.refusal = refusal
        sealAlone()
    }

    /// Whether it waits for the store to become idle.
    var isIdleness: Bool { placeAmongIdlers != 0 }

    /// The runs and triggers for which it waits, in order.
    var blockers: [Run] { drained.isEmpty ? members.sorted : members.sorted + drained.filter { $0.phase != .ended } }

    /// Notes how something has ended, unless it comes too late.
    func note(_ change: (inout GroupSummary) -> Void) { if !isComplete { change(&outcome) } }

    /// Adds a member that is no run.
    func addMember() { openCount += 1 }

    /// Closes a group to which nobody refers yet, and whose members are no runs.
    func sealAlone() {
        openCount -= 1
        isComplete = openCount == 0
        if isComplete { fulfil() }
    }

    // MARK: Links

    /// Makes a run the performer of the group, or nobody.
    func setPerformer(_ run: Run?) {
        performer?.performed.remove(placeInPerformer)
        performer = run
        if let run { placeInPerformer = run.performed.append(self) }
    }

    /// The runs whose tasks await the group.
    var waiters: [Run] { waits.map(\.run) }

    func addWait(of run: Run) { waits.append((run, run.awaited.append(self))) }

    /// Removes one wait of a run.
    func removeWait(of run: Run) {
        if let index = waits.firstIndex(where: { $0.run === run }) {
            run.awaited.remove(waits.remove(at: index).place)
        }
    }

    func removeAllWaits() {
        for (run, place) in waits { run.awaited.remove(place) }
        waits = []
    }

    // MARK: Outside

    /// How the members have ended; nil if some have not.
    var summary: GroupSummary? { end.hasFired ? outcome : nil }

    /// Ends all waits for the group, which is complete.
    func fulfil() { end.fire() }

    /// Waits for the end and ignores cancellation.
    nonisolated(nonsending) func wait() async -> GroupSummary {
        await end.wait()
        return outcome
    }

    /// Waits for the end or for the cancellation of the task.
    ///
    /// - Returns: Nil if the task was cancelled.
    nonisolated(nonsending) func waitUnlessCancelled() async -> GroupSummary? {
        await end.waitUnlessCancelled() ? outcome : nil
    }
}
