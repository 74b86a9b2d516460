extension Relux {
    /// How the run of a new trigger of a saga relates to existing runs.
    ///
    /// A policy applies per registered saga and id. A saga that loads the details of an item, for example, returns
    /// `.latest(id: item.id)`: it then loads different items concurrently, but each item only once at a time. When
    /// triggers with different policies share an id, the newest trigger's policy decides.
    public struct Policy: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case concurrent
            case latest
            case leading
            case serial
            case debounce(Duration)
            case throttle(Duration)
        }

        let kind: Kind
        let id: AnySendableHashable?

        /// Whether the policy depends on the clock.
        var isTimed: Bool {
            switch kind {
            case .debounce, .throttle: true
            case .concurrent, .latest, .leading, .serial: false
            }
        }

        /// A new trigger runs alongside the others.
        public static var concurrent: Policy { Policy(kind: .concurrent, id: nil) }

        /// A new trigger supersedes the active run and starts immediately, without waiting for that run to end.
        public static var latest: Policy { Policy(kind: .latest, id: nil) }

        /// A new trigger is dropped while a run is active.
        public static var leading: Policy { Policy(kind: .leading, id: nil) }

        /// A new trigger waits its turn, first in, first out.
        ///
        /// A run that performs into its own lane, or a child task of it, gets ``EffectError/serialCycle(waiting:on:)``
        /// immediately. A `Task {}` that the run leaves behind may do so: what it performs starts after the run. A run
        /// that awaits the value of such a task waits forever. To tell these tasks apart, the task of a serial run has
        /// an executor preference, which makes its calls of actors slower.
        public static var serial: Policy { Policy(kind: .serial, id: nil) }

        /// A new trigger starts once `delay` has passed without another trigger.
        ///
        /// Earlier triggers, and a run that is still active when it starts, are superseded.
        ///
        /// - Parameter delay: The quiet time, on the store's clock. Zero or less means immediately.
        public static func debounce(_ delay: Duration) -> Policy { Policy(kind: .debounce(delay), id: nil) }

        /// A new trigger runs immediately, then at most once every `interval`, with the last trigger of that window.
        ///
        /// The other triggers of the window are superseded. Active runs continue.
        ///
        /// - Parameter interval: The length of the window, on the store's clock. Zero or less lets every trigger run.
        public static func throttle(_ interval: Duration) -> Policy { Policy(kind: .throttle(interval), id: nil) }

        /// Applies ``latest`` to the triggers with the same id.
        public static func latest(id: some Hashable & Sendable) -> Policy {
            Policy(kind: .latest, id: AnySendableHashable(id))
        }

        /// Applies ``leading`` to the triggers with the same id.
        public static func leading(id: some Hashable & Sendable) -> Policy {
            Policy(kind: .leading, id: AnySendableHashable(id))
        }

        /// Applies ``serial`` to the triggers with the same id.
        public static func serial(id: some Hashable & Sendable) -> Policy {
            Policy(kind: .serial, id: AnySendableHashable(id))
        }

        /// Applies ``debounce(_:)`` to the triggers with the same id.
        ///
        /// - Parameter delay: The quiet time, on the store's clock. Zero or less means immediately.
        public static func debounce(_ delay: Duration, id: some Hashable & Sendable) -> Policy {
            Policy(kind: .debounce(delay), id: AnySendableHashable(id))
        }

        /// Applies ``throttle(_:)`` to the triggers with the same id.
        ///
        /// - Parameter interval: The length of the window, on the store's clock. Zero or less lets every trigger run.
        public static func throttle(_ interval: Duration, id: some Hashable & Sendable) -> Policy {
            Policy(kind: .throttle(interval), id: AnySendableHashable(id))
        }
    }
}
