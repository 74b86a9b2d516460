public import SampleServices

extension Pets {
    /// What can be loaded.
    public enum Subject: Sendable, Hashable {
        /// The list of all pets.
        case catalogue

        /// Everything about one of them.
        case pet(Pet.ID)
    }
}
