extension Relux {
    /// How many actions a stream keeps for its consumer, and which it drops when there are more.
    ///
    /// Actions are dropped only while the consumer is busy. A consumer that was waiting counts as busy until its task
    /// runs. The stream counts the dropped actions in its `droppedCount`.
    public struct StreamBuffering: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case unbounded
            case sliding(Int)
            case dropping(Int)
        }

        let kind: Kind

        /// Keeps every action until it is taken.
        public static var unbounded: StreamBuffering { StreamBuffering(kind: .unbounded) }

        /// Keeps the newest actions, and drops the oldest one for each further action.
        ///
        /// - Parameter count: The number of actions to keep. Less than 1 counts as 1.
        public static func sliding(_ count: Int) -> StreamBuffering { StreamBuffering(kind: .sliding(max(count, 1))) }

        /// Keeps the oldest actions, and drops further actions until one is taken.
        ///
        /// - Parameter count: The number of actions to keep. Less than 1 counts as 1.
        public static func dropping(_ count: Int) -> StreamBuffering { StreamBuffering(kind: .dropping(max(count, 1))) }
    }
}
