extension Relux {
    /// How many actions a stream keeps for its consumer, and which it drops when there are more.
    ///
    /// Actions are dropped only while the consumer is busy. A consumer that was waiting counts as busy until its task
    /// runs. The stream counts the dropped actions in its `droppedCount`.
    public struct StreamBuffering: Sendable, Hashable {
        let limit: Int
        /// Whether a full stream drops its oldest action, and not the new one.
        let isSliding: Bool

        /// Keeps every action until it is taken.
        public static var unbounded: StreamBuffering { StreamBuffering(limit: .max, isSliding: false) }

        /// Keeps the newest actions, and drops the oldest one for each further action.
        ///
        /// - Parameter count: The number of actions to keep. Less than 1 counts as 1.
        public static func sliding(_ count: Int) -> StreamBuffering {
            StreamBuffering(limit: max(count, 1), isSliding: true)
        }

        /// Keeps the oldest actions, and drops further actions until one is taken.
        ///
        /// - Parameter count: The number of actions to keep. Less than 1 counts as 1.
        public static func dropping(_ count: Int) -> StreamBuffering {
            StreamBuffering(limit: max(count, 1), isSliding: false)
        }
    }
}
