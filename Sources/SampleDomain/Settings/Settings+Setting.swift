public import SampleServices

extension Settings {
    /// A setting, with the value to choose.
    public enum Setting: Sendable, Hashable {
        /// The user's name. Surrounding white space is ignored. An empty name clears the setting.
        case displayName(String)

        /// The name of the list. Surrounding white space is ignored. An empty name clears the setting.
        case listName(String)

        /// The look of the user interface.
        case theme(UserSettings.Theme)
    }
}
