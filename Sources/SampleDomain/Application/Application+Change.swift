public import SampleServices

extension Application {
    /// One difference between two snapshots of the application.
    public enum Change: Sendable, Equatable {
        /// The data of another profile, or of none, are now in use.
        case entered(Entrance)

        /// An item of the list changed.
        case items(Items.Change)

        /// A setting changed.
        case settings(Settings.Setting)

        /// A user arrived, left, or was renamed. Damaged and repaired files are reported as ``damaged(_:)`` and
        /// ``mended(_:)`` instead.
        case users(Users.Change)

        /// Something can't be read.
        case damaged(Problem)

        /// Something that couldn't be read can be read again.
        case mended(Problem)
    }

    /// The availability of a profile's data. The contents of the list at that point are the baseline and not a change.
    public struct Entrance: Sendable, Hashable {
        /// The profile that is signed in, or nil for none.
        public let profile: Profile?

        /// The number of items on the list, or nil if the list can't be read.
        public let count: Int?

        /// Whether the profile was unknown before, which is the case at the start and never after a sign-in or
        /// sign-out.
        public let isFirst: Bool

        init(profile: Profile?, count: Int?, isFirst: Bool) {
            (self.profile, self.count, self.isFirst) = (profile, count, isFirst)
        }
    }
}
