public import SampleServices

extension Pets {
    /// Something that can be loaded.
    public enum Subject: Sendable, Hashable {
        /// The list of all pets.
        case catalogue

        /// The details of one pet.
        case pet(Pet.ID)
    }
}
