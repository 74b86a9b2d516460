public import Relux

extension Relux {
    /// The rule for a save if somebody else has saved or erased since this store last loaded, saved, or took in a
    /// change.
    public struct Conflict<Payload: Sendable>: Sendable {
        /// Makes what is to be saved.
        let resolve: @Sendable (_ base: Payload?, _ ours: Payload, _ theirs: Payload?) throws -> Payload?

        /// The value of this store replaces the other one, or what somebody else has erased.
        public static var keepOurs: Conflict { Conflict { _, ours, _ in ours } }

        /// The other value stays; after an erasure, nothing is stored. Without `follows`, this store keeps its own
        /// value in memory until the next load.
        public static var keepTheirs: Conflict { Conflict { _, _, theirs in theirs } }

        /// Saves the result of a closure that merges both values.
        ///
        /// - Parameter merge: Gets the value from which both have started (nil if there was none), the value that this
        ///   store has now, and the value that somebody else has saved (nil if it was erased). It returns what is to be
        ///   saved. With nil, nothing is stored any more, not even their value. It may be called again if somebody else
        ///   saves in the meantime. With `elements` in a storage of your own, the elements that it adds must have the
        ///   same ids each time.
        public static func merge(
            _ merge: @escaping @Sendable (_ base: Payload?, _ ours: Payload, _ theirs: Payload?) throws -> Payload?
        ) -> Conflict {
            Conflict(resolve: merge)
        }
    }
}
