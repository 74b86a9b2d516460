public import SampleServices

/// Why a command was rejected or could not be carried out.
public enum SettingsError: Error, Hashable {
    /// The name has more characters than this limit.
    case tooLong(limit: Int)

    /// The name contains a line break or another control character.
    case severalLines

    /// The settings can't be read, so the result of a relative command isn't known.
    case notLoaded(ProfileServiceError)
}
