import Relux
import SampleServices

/// The contents of the frame around every screen.
struct FrameProps: Relux.UI.ViewProps {
    /// The name of the profile that is signed in, or nil if nobody is or it isn't known.
    var profile: String?
    var isProfileKnown = false
    var listName = ""
    var theme = UserSettings.Theme.pilbara
    /// The current troubles, each in sentences, the most important first.
    var troubles: [[String]] = []
    var canRetry = false
    /// Whether there are changes that can't be saved and would be lost.
    var isAtRisk = false
}

/// The actions that are available on every screen.
struct FrameCallbacks: Relux.UI.ViewCallbacks {
    let retry: Relux.UI.ViewCallback<Void>

    static let noop = FrameCallbacks(retry: .noop)
}
