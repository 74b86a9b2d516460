extension Relux {
    /// How long the change of a persisted state may wait to be saved.
    public struct SavingPace: Sendable, Hashable {
        /// Nil for no wait at all.
        let limit: Duration?

        /// The value is saved at most so long after its first unsaved change, on the store's clock. Changes in between
        /// are saved together.
        public static func within(_ limit: Duration) -> SavingPace { SavingPace(limit: limit) }

        /// Each change is saved as soon as the save before it has ended. Changes that come meanwhile are saved
        /// together.
        public static var atOnce: SavingPace { SavingPace(limit: nil) }
    }
}
