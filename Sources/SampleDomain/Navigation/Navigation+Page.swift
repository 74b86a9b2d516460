public import SampleServices

extension Navigation {
    /// A page that can lie on the one at the bottom.
    public enum Page: Sendable, Hashable, Codable {
        /// Everything about one pet.
        case pet(Pet.ID)
    }
}
