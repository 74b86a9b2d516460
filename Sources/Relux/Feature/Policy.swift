extension Relux {
    /// How a new trigger of a saga relates to the runs that are there already.
    ///
    /// A policy holds per registered saga and per id, so a saga that loads details by item gives `.latest(id: item.id)`
    /// and loads two items side by side, but each of them once. Where triggers of different policies share an id, the
    /// newest one's policy decides.
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

        /// Whether the clock has a say.
        var isTimed: Bool {
            switch kind {
            case .debounce, .throttle: true
            case .concurrent, .latest, .leading, .serial: false
            }
        }

        /// Runs beside the others.
        public static var concurrent: Policy { Policy(kind: .concurrent, id: nil) }

        /// Supersedes the active run and starts at once, without waiting for the end of the old one.
        public static var latest: Policy { Policy(kind: .latest, id: nil) }

        /// Is dropped while a run is active.
        public static var leading: Policy { Policy(kind: .leading, id: nil) }

        /// Waits its turn, first in first out.
        public static var serial: Policy { Policy(kind: .serial, id: nil) }

        /// Starts once a time has passed without another trigger.
        ///
        /// The triggers before it, and a run that is still active when it starts, are superseded.
        ///
        /// - Parameter delay: The quiet time, on the store's clock. Zero or less means at once.
        /// - Returns: The policy.
        public static func debounce(_ delay: Duration) -> Policy { Policy(kind: .debounce(delay), id: nil) }

        /// Runs at once, then at most once in a time, with the last trigger of that window.
        ///
        /// The other triggers of the window are superseded; active runs go on.
        ///
        /// - Parameter interval: The length of the window, on the store's clock. Zero or less lets every trigger run.
        /// - Returns: The policy.
        public static func throttle(_ interval: Duration) -> Policy { Policy(kind: .throttle(interval), id: nil) }

        /// ``latest`` among the triggers with the same id.
        ///
        /// - Parameter id: What the run is about.
        /// - Returns: The policy.
        public static func latest(id: some Hashable & Sendable) -> Policy {
            Policy(kind: .latest, id: AnySendableHashable(id))
        }

        /// ``leading`` among the triggers with the same id.
        ///
        /// - Parameter id: What the run is about.
        /// - Returns: The policy.
        public static func leading(id: some Hashable & Sendable) -> Policy {
            Policy(kind: .leading, id: AnySendableHashable(id))
        }

        /// ``serial`` among the triggers with the same id.
        ///
        /// - Parameter id: What the run is about.
        /// - Returns: The policy.
        public static func serial(id: some Hashable & Sendable) -> Policy {
            Policy(kind: .serial, id: AnySendableHashable(id))
        }

        /// ``debounce(_:)`` among the triggers with the same id.
        ///
        /// - Parameters:
        ///   - delay: The quiet time, on the store's clock. Zero or less means at once.
        ///   - id: What the run is about.
        /// - Returns: The policy.
        public static func debounce(_ delay: Duration, id: some Hashable & Sendable) -> Policy {
            Policy(kind: .debounce(delay), id: AnySendableHashable(id))
        }

        /// ``throttle(_:)`` among the triggers with the same id.
        ///
        /// - Parameters:
        ///   - interval: The length of the window, on the store's clock. Zero or less lets every trigger run.
        ///   - id: What the run is about.
        /// - Returns: The policy.
        public static func throttle(_ interval: Duration, id: some Hashable & Sendable) -> Policy {
            Policy(kind: .throttle(interval), id: AnySendableHashable(id))
        }
    }
}
