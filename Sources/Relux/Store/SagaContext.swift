extension Relux {
    /// What a saga may do: the verbs of a dispatcher, reading, modules and time.
    ///
    /// - Isolation: It may be handed to child tasks. Its verbs can be called from anywhere.
    /// - Ordering: That of the store; what one task of the run does comes in the order in which it does so.
    /// - Cancellation: Once the run has ended, been cancelled or superseded, or its module or store is gone, nothing
    ///   that comes through it is reduced; each such write is refused and reported. The store decides this as the write
    ///   comes. Reading goes on.
    /// - Lifetime: It doesn't keep the store alive.
    public struct SagaContext: Sendable {
        let handle: RunHandle

        var engine: Engine { handle.engine }

        @usableFromInline
        var entrance: Entrance { Entrance(handle.engine, for: handle) }

        /// Which run this is.
        public var run: RunRecord { handle.record }
    }
}
