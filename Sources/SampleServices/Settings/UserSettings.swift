/// The settings that a user has chosen.
public struct UserSettings: Sendable, Hashable, Codable {
    /// The look of the user interface.
    public enum Theme: String, Sendable, Hashable, CaseIterable, Codable {
        /// The colours of red earth.
        case pilbara
        /// The colours of blue water.
        case collaroy
    }

    /// The user's name, or an empty string if none was chosen.
    public var displayName: String

    /// The name of the list, or an empty string if none was chosen.
    public var listName: String

    /// The theme.
    public var theme: Theme

    /// Creates settings. The defaults are those of a user who hasn't chosen anything.
    public init(displayName: String = "", listName: String = "", theme: Theme = .pilbara) {
        (self.displayName, self.listName, self.theme) = (displayName, listName, theme)
    }
}
