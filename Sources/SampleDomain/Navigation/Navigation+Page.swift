public import SampleServices

extension Navigation {
    /// A page that can be shown above the root.
    public enum Page: Sendable, Hashable, Codable {
        /// The details of one pet.
        case pet(Pet.ID)
    }
}
