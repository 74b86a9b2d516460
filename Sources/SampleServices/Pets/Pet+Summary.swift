extension Pet {
    /// The summary of a pet in the catalogue, enough for one row of a list.
    public struct Summary: Sendable, Hashable, Identifiable {
        /// The identity of the pet, which never changes. It is not empty.
        public let id: String

        /// The pet's name.
        public let name: String

        /// The kind of animal, or nil if it is unknown.
        public let species: String?

        /// The date of birth, or nil if it is unknown.
        public let birthday: Day?

        /// The colour of the pet's coat, or nil if it is unknown.
        public let colour: Colour?

        /// Creates a summary.
        ///
        /// - Parameters:
        ///   - id: The identity of the pet. Not empty.
        ///   - species: The kind of animal, or nil if it is unknown.
        ///   - birthday: The date of birth, or nil if it is unknown.
        ///   - colour: The colour of the pet's coat, or nil if it is unknown.
        public init(id: String, name: String, species: String? = nil, birthday: Day? = nil, colour: Colour? = nil) {
            self.id = id
            self.name = name
            self.species = species
            self.birthday = birthday
            self.colour = colour
        }
    }
}
