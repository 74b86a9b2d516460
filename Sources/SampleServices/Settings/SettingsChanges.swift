/// What is to be otherwise in somebody's settings, and nothing of the rest.
///
/// So two processes that change different settings keep both changes; of two changes to the same one the later wins.
public struct SettingsChanges: Sendable, Hashable {
    /// What they want to be called from now on; nil for no change.
    public var displayName: String?

    /// What their list is called from now on; nil for no change.
    public var listName: String?

    /// How everything looks from now on; nil for no change.
    public var theme: UserSettings.Theme?

    /// Whether they want to get marketing e-mails from now on; nil for no change.
    public var wantsMarketingEmails: Bool?

    /// Makes changes.
    ///
    /// - Parameters:
    ///   - displayName: What they want to be called from now on.
    ///   - listName: What their list is called from now on.
    ///   - theme: How everything looks from now on.
    ///   - wantsMarketingEmails: Whether they want to get marketing e-mails from now on.
    public init(
        displayName: String? = nil,
        listName: String? = nil,
        theme: UserSettings.Theme? = nil,
        wantsMarketingEmails: Bool? = nil
    ) {
        self.displayName = displayName
        self.listName = listName
        self.theme = theme
        self.wantsMarketingEmails = wantsMarketingEmails
    }

    /// Whether nothing is to be otherwise.
    public var isEmpty: Bool { self == SettingsChanges() }

    /// The settings after the changes.
    ///
    /// - Parameter settings: The settings before them.
    /// - Returns: The settings.
    public func applied(to settings: UserSettings) -> UserSettings {
        UserSettings(
            displayName: displayName ?? settings.displayName,
            listName: listName ?? settings.listName,
            theme: theme ?? settings.theme,
            wantsMarketingEmails: wantsMarketingEmails ?? settings.wantsMarketingEmails
        )
    }

    /// Adds later changes, which win.
    ///
    /// - Parameter later: The changes.
    public mutating func add(_ later: SettingsChanges) {
        displayName = later.displayName ?? displayName
        listName = later.listName ?? listName
        theme = later.theme ?? theme
        wantsMarketingEmails = later.wantsMarketingEmails ?? wantsMarketingEmails
    }
}
