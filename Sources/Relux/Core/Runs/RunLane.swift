/// Identifies a lane: the runs of one saga, or of the sagas that name a lane, with one policy id.
struct LaneKey: Hashable, Sendable {
    /// The registration of the saga; 0 in a lane with a name.
    let saga: SagaID
    let name: Relux.Lane?
    let id: AnySendableHashable?
    /// The instance to which the lane belongs; 0 for the root.
    let scope: UInt64

    init(of run: RunHandle) {
        let policy = run.policy
        (saga, name, id, scope) = (policy.lane == nil ? run.saga : 0, policy.lane, policy.id, run.scopeSerial)
    }
}

/// The runs of a lane. Only the table of runs refers to it.
final class RunLane {
    let key: LaneKey
    var active: Set<RunID> = []
    var dying: Set<RunID> = []
    /// The runs that wait for their turn, first in, first out, by their own numbers.
    var queue = ArrivalList<RunID>()
    var pending: RunID?
    /// When the window of a throttle closes.
    var windowEnd: Duration?

    init(key: LaneKey) { self.key = key }

    /// The runs that were not halted, in no particular order.
    var unhalted: [RunID] { Array(active) + queue.elements + (pending.map { [$0] } ?? []) }

    var isUnused: Bool { active.isEmpty && dying.isEmpty && queue.isEmpty && pending == nil }

    /// Whether a run that lets this number of runs be active, itself included, may start before the queue.
    func hasRoom(below limit: Int) -> Bool { active.count + dying.count < limit }
}
