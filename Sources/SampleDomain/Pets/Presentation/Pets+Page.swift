public import SampleServices

extension Pets {
    /// Everything about one pet, as people read it.
    public struct Page: Sendable, Hashable, Identifiable {
        /// One thing that is known of the pet, or known to be unknown.
        public struct Field: Sendable, Hashable {
            /// What it is.
            public enum Kind: Sendable, Hashable, CaseIterable {
                /// What kind of animal it is.
                case species
                /// When it was born.
                case born
                /// How old it is.
                case age
                /// The colour of its coat, as in `#C68642`.
                case colour
                /// When it came.
                case arrived
                /// The telephone number of its keeper.
                case phone
                /// What its keeper has to say.
                case about
            }

            /// What it is.
            public let kind: Kind

            /// What to read.
            public let text: String

            init(_ kind: Kind, _ text: String) {
                self.kind = kind
                self.text = text
            }
        }

        /// The id of the pet.
        public let id: Pet.ID

        /// What it is called.
        public let name: String

        /// What is there to read so far: nothing of what hasn't been loaded yet.
        public let fields: [Field]

        /// What there is to say beside it; nil where nothing is.
        public let notice: Notice?
    }
}
