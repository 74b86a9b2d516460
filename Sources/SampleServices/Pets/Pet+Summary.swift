extension Pet {
    /// What the catalogue says of a pet: enough for a line of a list.
    public struct Summary: Sendable, Hashable, Identifiable {
        /// What never changes about the pet. Not empty.
        public let id: String

        /// What it is called.
        public let name: String

        /// What kind of animal it is, or nil where nobody knows.
        public let species: String?

        /// When it was born, or nil where nobody knows.
        public let birthday: Day?

        /// The colour of its coat, or nil where nobody has said.
        public let colour: Colour?

        /// Makes a summary.
        ///
        /// - Parameters:
        ///   - id: What never changes about the pet.
        ///   - name: What it is called.
        ///   - species: What kind of animal it is, or nil.
        ///   - birthday: When it was born, or nil.
        ///   - colour: The colour of its coat, or nil.
        public init(id: String, name: String, species: String? = nil, birthday: Day? = nil, colour: Colour? = nil) {
            self.id = id
            self.name = name
            self.species = species
            self.birthday = birthday
            self.colour = colour
        }
    }
}
