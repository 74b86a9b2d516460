public import SampleServices

extension Application {
    /// What makes one snapshot of the application different from another.
    public enum Change: Sendable, Equatable {
        /// From now on the data are those of somebody else.
        case entered(Entrance)

        /// An item of the list isn't as it was.
        case items(Items.Change)

        /// A setting isn't as it was.
        case settings(Settings.Setting)

        /// Somebody has come, gone, or is called something else. What is damaged or mended isn't told this way.
        case users(Users.Change)

        /// Something can't be read.
        case damaged(Problem)

        /// Something that couldn't be read can be.
        case mended(Problem)
    }

    /// That somebody's data are there. What is on the list at that moment is the beginning, and no change.
    public struct Entrance: Sendable, Hashable {
        /// Who is signed in; nil for nobody.
        public let profile: Profile?

        /// How many items are on the list; nil where it can't be read.
        public let count: Int?

        /// Whether nobody was known before: it is the beginning, and not a change of hands.
        public let isFirst: Bool

        init(profile: Profile?, count: Int?, isFirst: Bool) {
            (self.profile, self.count, self.isFirst) = (profile, count, isFirst)
        }
    }
}
