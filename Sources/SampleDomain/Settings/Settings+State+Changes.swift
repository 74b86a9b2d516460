import SampleServices

extension Settings.State {
    /// What has changed between two states of the settings.
    ///
    /// - Parameter former: The earlier state.
    /// - Returns: The settings that have another value now, with that value, in the order of the table. A theme that
    ///   isn't chosen any more is the one that an application begins with.
    public func changes(since former: Settings.State) -> [Settings.Setting] {
        let (before, now) = (former.settings, settings)
        func theme(of settings: UserSettings) -> UserSettings.Theme { settings.theme ?? Settings.Appearance().theme }
        return [
            before.displayName == now.displayName ? nil : .displayName(now.displayName),
            before.listName == now.listName ? nil : .listName(now.listName),
            theme(of: before) == theme(of: now) ? nil : .theme(theme(of: now)),
            before.wantsMarketingEmails == now.wantsMarketingEmails ? nil : .marketingEmails(now.wantsMarketingEmails),
        ].compactMap { $0 }
    }
}
