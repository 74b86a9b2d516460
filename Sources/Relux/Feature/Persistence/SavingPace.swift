extension Relux {
    /// How long a change of a persisted state may wait before it is saved.
    public struct SavingPace: Sendable, Hashable {
        /// Nil for no wait at all.
        let limit: Duration?

        /// The value is saved within this time after its first unsaved change, on the store's clock. Changes in the
        /// meantime are saved together.
        public static func within(_ limit: Duration) -> SavingPace { SavingPace(limit: limit) }

        /// Each change is saved as soon as the previous save has ended. Changes in the meantime are saved together.
        public static var atOnce: SavingPace { SavingPace(limit: nil) }
    }
}
