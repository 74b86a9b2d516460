public import SampleServices

extension Pets {
    /// The displayed list of all pets.
    public struct Listing: Sendable, Hashable {
        /// One pet.
        public struct Row: Sendable, Hashable, Identifiable, Encodable {
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

    /// The displayed details of one pet.
    public struct Page: Sendable, Hashable, Identifiable, Encodable {
        /// One detail of the pet, possibly unknown.
        public struct Field: Sendable, Hashable, Encodable {
            /// The kinds of details.
            public enum Kind: String, Sendable, Hashable, CaseIterable, Encodable {
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

    /// A message to show with other content.
    public struct Notice: Sendable, Hashable, Encodable {
        /// The importance of a notice.
        public enum Kind: String, Sendable, Hashable, Encodable {
            /// Work is in progress.
            case progress
            /// Something failed, and nothing more is being done about it.
            case failure
            /// Nothing is wrong.
            case information
        }

        /// The importance of the notice.
        public let kind: Kind

        /// The lines of the message, one sentence each. A sentence that concerns a place starts with it.
        public let lines: [String]

        init(_ kind: Kind, _ lines: [String]) {
            self.kind = kind
            self.lines = lines
        }
    }
}
