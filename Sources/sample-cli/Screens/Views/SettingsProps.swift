import Relux
import SampleDomain

/// The contents of the settings screen.
struct SettingsProps: Relux.UI.ViewProps {
    var table: Settings.Table?
}

/// The actions of the settings screen.
struct SettingsCallbacks: Relux.UI.ViewCallbacks {
    let choose: Relux.UI.ViewCallback<Settings.Setting>
    let chooseNextTheme: Relux.UI.ViewCallback<Void>
    let signIn: Relux.UI.ViewCallback<String>
    let signOut: Relux.UI.ViewCallback<Void>

    static let noop = SettingsCallbacks(choose: .noop, chooseNextTheme: .noop, signIn: .noop, signOut: .noop)
}
