/// What somebody has chosen.
public struct UserSettings: Sendable, Hashable {
    /// How everything looks.
    public enum Theme: String, Sendable, Hashable, CaseIterable {
        /// Red earth.
        case pilbara
        /// Blue water.
        case collaroy
    }

    /// What they want to be called; empty where they haven't said.
    public var displayName: String

    /// What their list is called; empty where they haven't said.
    public var listName: String

    /// How everything looks; nil where they haven't chosen.
    public var theme: Theme?

    /// Whether they want to get marketing e-mails.
    public var wantsMarketingEmails: Bool

    /// Makes settings. The defaults are those of somebody who hasn't chosen anything.
    ///
    /// - Parameters:
    ///   - displayName: What they want to be called.
    ///   - listName: What their list is called.
    ///   - theme: How everything looks.
    ///   - wantsMarketingEmails: Whether they want to get marketing e-mails.
    public init(
        displayName: String = "",
        listName: String = "",
        theme: Theme? = nil,
        wantsMarketingEmails: Bool = false
    ) {
        self.displayName = displayName
        self.listName = listName
        self.theme = theme
        self.wantsMarketingEmails = wantsMarketingEmails
    }
}
