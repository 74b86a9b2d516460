import Relux
import SampleDomain

/// What the screen of the settings shows.
struct SettingsProps: Relux.UI.ViewProps {
    /// The table; nil where nothing is known yet.
    var table: Settings.Table?
}

/// What can be done with the settings.
struct SettingsCallbacks: Relux.UI.ViewCallbacks {
    let choose: Relux.UI.ViewCallback<Settings.Setting>
    let chooseNextTheme: Relux.UI.ViewCallback<Void>
    let toggleMarketingEmails: Relux.UI.ViewCallback<Void>
    let signIn: Relux.UI.ViewCallback<String>
    let signOut: Relux.UI.ViewCallback<Void>

    static let noop = SettingsCallbacks(
        choose: .noop, chooseNextTheme: .noop, toggleMarketingEmails: .noop, signIn: .noop, signOut: .noop)
}
