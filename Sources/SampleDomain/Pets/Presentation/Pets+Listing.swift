public import SampleServices

extension Pets {
    /// The list of all pets, as people read it.
    public struct Listing: Sendable, Hashable {
        /// One pet.
        public struct Row: Sendable, Hashable, Identifiable {
            /// The id of the pet.
            public let id: Pet.ID

            /// What it is called.
            public let name: String

            /// What kind of animal it is.
            public let species: String

            /// How old it is.
            public let age: String

            /// The colour of its coat, as in `#C68642`; nil where there is none to show.
            public let colour: String?
        }

        /// The pets that are known, in their order.
        public let rows: [Row]

        /// What there is to say beside them; nil where nothing is.
        public let notice: Notice?
    }
}
