public import SampleServices

extension Pets {
    /// The displayed details of one pet.
    public struct Page: Sendable, Hashable, Identifiable {
        /// One detail of the pet, possibly unknown.
        public struct Field: Sendable, Hashable {
            /// The kinds of details.
            public enum Kind: Sendable, Hashable, CaseIterable {
                /// The kind of animal.
                case species
                /// The date of birth.
                case born
                /// The age.
                case age
                /// The colour of the coat in the form `#C68642`.
                case colour
                /// The date of arrival.
                case arrived
                /// The telephone number of the keeper.
                case phone
                /// The description by the keeper.
                case about
            }

            /// The kind of detail.
            public let kind: Kind

            /// The text to show.
            public let text: String

            init(_ kind: Kind, _ text: String) {
                self.kind = kind
                self.text = text
            }
        }

        /// The id of the pet.
        public let id: Pet.ID

        /// The pet's name.
        public let name: String

        /// The details to show. Those that haven't been loaded yet are missing.
        public let fields: [Field]

        /// A message to show with the page, or nil.
        public let notice: Notice?
    }
}
