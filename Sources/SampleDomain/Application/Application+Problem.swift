import SampleServices

extension Application {
    /// The features whose changes are reported.
    public enum Feature: String, Sendable, Hashable, CaseIterable {
        /// The session.
        case session
        /// The list.
        case items
        /// The settings.
        case settings
        /// The presence of users.
        case users
    }

    /// Something that can't be read and may therefore hide changes.
    public struct Problem: Sendable, Hashable {
        /// The feature that is affected.
        public let feature: Feature

        /// The path of the file or folder, followed by the line if it is known.
        public let place: String

        /// What happened, in one sentence, without the place.
        public let explanation: String

        /// What the user can do about it, in one sentence.
        public let advice: String

        /// Whether nothing more will be reported for the feature, because its folder is gone or can't be followed.
        public let isFinal: Bool

        init(_ error: StorageError, _ feature: Feature) {
            self.feature = feature
            place = error.place
            explanation = error.explanation
            advice = error.advice
            switch error.reason {
            case .folderVanished, .noPermission(.folder), .noPermission(.watch), .system(.folder, _),
                .system(.watch, _):
                isFinal = true
            default: isFinal = false
            }
        }
    }
}
