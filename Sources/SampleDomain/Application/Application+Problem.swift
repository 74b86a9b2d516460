import SampleServices

extension Application {
    /// The features whose changes are told.
    public enum Feature: String, Sendable, Hashable, CaseIterable {
        /// Who is signed in.
        case session
        /// The list.
        case items
        /// The settings.
        case settings
        /// Who is there.
        case users
    }

    /// Something that can't be read, and so may hide changes.
    public struct Problem: Sendable, Hashable {
        /// Whose data it is about.
        public let feature: Feature

        /// The path of the file or folder, with the line where that is known.
        public let place: String

        /// What happened, in one sentence without the place.
        public let explanation: String

        /// What a person can do about it, in one sentence.
        public let advice: String

        /// Whether nothing more will be told of the feature: what was followed is gone, or can't be followed.
        public let isFinal: Bool

        init(_ error: some Failure, _ feature: Feature) {
            self.feature = feature
            place = error.place
            explanation = error.explanation
            advice = error.advice
            isFinal = error.isFolderGone || error.refused == .folder || error.refused == .watch
        }

        init(_ error: ItemsServiceError) { self.init(error, .items) }

        init(_ error: UsersServiceError) { self.init(error, .users) }
    }
}
