extension Relux {
    /// How the run of a new trigger of a saga relates to existing runs.
    ///
    /// A policy applies per registered saga and id. A saga that loads the details of an item, for example, returns
    /// `.latest(id: item.id)`: it then loads different items concurrently, and a newer load of an item supersedes
    /// the older one. When triggers with different policies share an id, the newest trigger's policy decides.
    ///
    /// ``in(_:)`` relates the runs of different sagas to each other, and ``background`` marks runs that nothing waits
    /// for.
    public struct Policy: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case concurrent
            case limited(Int)
            /// Supersedes the oldest runs, so that no more than this number are left.
            case latest(Int)
            /// Drops a trigger that would exceed this number of runs.
            case leading(Int)
            case serial
            case shared
            case conflated
            case debounce(Duration, keepingActive: Bool)
            case throttle(Duration, trailing: Bool)
        }

        let kind: Kind
        let id: AnySendableHashable?
        /// Whether there is an id. It is stored, because asking the id itself would copy it.
        let hasID: Bool
        /// The lane that the policy names. Without one, each saga has its own.
        private(set) var lane: Lane?
        private(set) var isBackground = false

        init(kind: Kind) {
            (self.kind, id, hasID) = (kind, nil, false)
        }

        init(kind: Kind, id: AnySendableHashable) {
            (self.kind, self.id, hasID) = (kind, id, true)
        }

        /// Whether the policy relates a run to those of its own saga only, and to all of them.
        var isPlain: Bool { !hasID && lane == nil }

        /// Relates the runs of different sagas that name the same lane, as if they belonged to one saga.
        ///
        /// Within the lane, only runs with the same id are related. A ``shared`` trigger of a flow joins a run of
        /// another saga only if that promises the same type of value; one of a saga joins any. A ``concurrent`` run
        /// isn't related to any other run of its lane, but is cancelled with the lane.
        public func `in`(_ lane: Lane) -> Policy {
            var policy = self
            policy.lane = lane
            return policy
        }

        /// A policy with the same id and lane that relates its runs to no others. They can still be cancelled by these.
        package var unrelated: Policy {
            var policy = id.map { Policy(kind: .concurrent, id: $0) } ?? .concurrent
            policy.lane = lane
            return policy
        }

        /// Marks the runs as work that nothing waits for, such as a subscription or a link that waits for a sign-in.
        ///
        /// `idle` doesn't wait for such runs, and neither do the testing library's `TestStore.finish` and `Simulation`.
        /// Runs that they perform count according to their own policies. `reset`, `unregister`, and `shutdown` cancel
        /// and await them like any other run.
        public var background: Policy {
            var policy = self
            policy.isBackground = true
            return policy
        }
    }
}

// MARK: - Policies without an id

extension Relux.Policy {
    /// A new trigger runs alongside the others.
    public static var concurrent: Relux.Policy { Relux.Policy(kind: .concurrent) }

    /// A new trigger runs alongside at most `limit` - 1 others; otherwise it waits its turn, first in, first out.
    ///
    /// Cancelled runs count until they have ended. A run may perform an effect in its own lane as long as another run
    /// can make room for it. Otherwise, the effect is refused as with ``serial``.
    ///
    /// - Parameter limit: The number of runs that may be active at the same time. Less than 1 counts as 1.
    public static func concurrent(limit: Int) -> Relux.Policy { Relux.Policy(kind: .limited(max(limit, 1))) }

    /// A new trigger supersedes the active run and starts immediately, without waiting for that run to end.
    public static var latest: Relux.Policy { .latest(limit: 1) }

    /// A new trigger supersedes the oldest runs, so that at most `limit` - 1 others are left, and starts immediately.
    ///
    /// The oldest are those whose triggers came first. Runs that wait their turn or their deadline count like active
    /// ones; superseded and cancelled ones don't, even if they have not ended yet. ``latest`` is the same with a limit
    /// of 1. A performed action with several sagas in one lane supersedes none of its own runs.
    ///
    /// - Parameter limit: The number of runs to keep, the new one included. Less than 1 counts as 1.
    public static func latest(limit: Int) -> Relux.Policy { Relux.Policy(kind: .latest(max(limit, 1))) }

    /// A new trigger is dropped while a run is active or waiting its turn.
    public static var leading: Relux.Policy { .leading(limit: 1) }

    /// A new trigger is dropped while `limit` runs are active or waiting their turn.
    ///
    /// Cancelled runs don't count, even if they have not ended yet. ``leading`` is the same with a limit of 1.
    ///
    /// - Parameter limit: The number of runs that may be active at the same time. Less than 1 counts as 1.
    public static func leading(limit: Int) -> Relux.Policy { Relux.Policy(kind: .leading(max(limit, 1))) }

    /// A new trigger waits its turn, first in, first out.
    ///
    /// A run, or a child task of it, that performs an effect in its own lane would wait for itself. It gets
    /// ``Relux/EffectError/serialCycle(waiting:on:)`` immediately. A `Task {}` that the run leaves behind may do so:
    /// the effect starts after the run has ended. A run that awaits the value of such a task waits forever.
    ///
    /// To tell child tasks from other tasks, the task of a serial run has an executor preference, which makes its calls
    /// to actors slower.
    public static var serial: Relux.Policy { Relux.Policy(kind: .serial) }

    /// A new trigger joins the active run: it starts nothing, and its `perform` gets that run's value or error.
    ///
    /// If no run is active but one is waiting its turn, the trigger joins that one. All triggers of a run get the same
    /// value, so triggers that ask for different things need different ids.
    ///
    /// - Cancellation: A cancelled caller of `perform` throws `cancelled` immediately while others still wait. The run
    ///   is cancelled along with the last of them. A trigger that was only dispatched counts as one of those waiting;
    ///   ``Relux/Dispatched/cancel()`` withdraws it. The trigger that started the run has no privilege.
    /// - Reentrancy: A run that performs its own id gets ``Relux/EffectError/serialCycle(waiting:on:)`` and continues.
    public static var shared: Relux.Policy { Relux.Policy(kind: .shared) }

    /// A new trigger waits for the active run. Of the waiting triggers, only the newest starts; the others are
    /// superseded.
    ///
    /// A run that performs an effect in its own lane is refused, as with ``serial``, and has then superseded what was
    /// waiting nevertheless.
    public static var conflated: Relux.Policy { Relux.Policy(kind: .conflated) }

    /// A new trigger starts once `delay` has passed without another trigger.
    ///
    /// Earlier triggers, and a run that is still active when it starts, are superseded. Later triggers with other
    /// policies stay in the queue.
    ///
    /// - Parameters:
    ///   - delay: The quiet time, on the store's clock. Zero or less means as soon as possible, but not in the step of
    ///     the trigger.
    ///   - keepingActive: Whether only earlier triggers are superseded, and active runs continue.
    public static func debounce(_ delay: Duration, keepingActive: Bool = false) -> Relux.Policy {
        Relux.Policy(kind: .debounce(delay, keepingActive: keepingActive))
    }

    /// A new trigger runs immediately, then at most once every `interval`, with the last trigger of that window.
    ///
    /// The other triggers of the window are superseded. Active runs continue.
    ///
    /// - Parameters:
    ///   - interval: The length of the window, on the store's clock. Zero or less lets every trigger run.
    ///   - trailing: Whether the last trigger of a window starts when the window ends. With `false`, all triggers
    ///     inside the window are dropped.
    public static func throttle(_ interval: Duration, trailing: Bool = true) -> Relux.Policy {
        Relux.Policy(kind: .throttle(interval, trailing: trailing))
    }
}

// The properties of a policy that the core needs. They are declared on the kind, which is a trivial type: each call of
// a method of the policy would copy the policy.
extension Relux.Policy.Kind {
    /// Whether the policy relates its runs to others.
    var isRelated: Bool {
        if case .concurrent = self { false } else { true }
    }

    /// Whether a run may wait for another one because of the policy, so that a run that performs into its own lane may
    /// never end.
    var letsRunsWait: Bool {
        switch self {
        case .serial, .limited, .shared, .conflated: true
        case .concurrent, .latest, .leading, .debounce, .throttle: false
        }
    }

    /// The number of active and ending runs below which a queued run may start.
    var limit: Int {
        if case .limited(let limit) = self { limit } else { 1 }
    }
}
