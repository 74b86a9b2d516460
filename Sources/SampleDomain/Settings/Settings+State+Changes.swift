import SampleServices

extension Settings.State {
    /// The differences between two states of the settings.
    ///
    /// - Parameter former: The earlier state.
    /// - Returns: The settings whose values differ, with the current values, in the order of the table. A theme that is
    ///   no longer chosen is reported as the default theme.
    public func changes(since former: Settings.State) -> [Settings.Setting] {
        let (before, now) = (former.settings, settings)
        func theme(of settings: UserSettings) -> UserSettings.Theme { settings.theme ?? Settings.Appearance().theme }
        return [
            before.displayName == now.displayName ? nil : .displayName(now.displayName),
            before.listName == now.listName ? nil : .listName(now.listName),
            theme(of: before) == theme(of: now) ? nil : .theme(theme(of: now)),
        ].compactMap { $0 }
    }
}
