public import SampleServices

extension Pets {
    /// The displayed list of all pets.
    public struct Listing: Sendable, Hashable {
        /// One pet.
        public struct Row: Sendable, Hashable, Identifiable {
            /// The id of the pet.
            public let id: Pet.ID

            /// The pet's name.
            public let name: String

            /// The kind of animal.
            public let species: String

            /// The pet's age.
            public let age: String

            /// The colour of the pet's coat in the form `#C68642`, or nil if it is unknown.
            public let colour: String?
        }

        /// The known pets, in their order.
        public let rows: [Row]

        /// A message to show with the list, or nil.
        public let notice: Notice?
    }
}
