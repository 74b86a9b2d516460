public import SampleServices

/// Why the rules don't allow a choice.
public enum SettingsError: Error, Hashable {
    /// The name has more characters than this.
    case tooLong(limit: Int)

    /// The name has a line break or another control character.
    case severalLines

    /// The settings can't be read, so it isn't known what the other choice would be.
    case notLoaded(ProfileServiceError)
}
