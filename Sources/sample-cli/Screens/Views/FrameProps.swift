import Relux
import SampleServices

/// What stands around every screen.
struct FrameProps: Relux.UI.ViewProps {
    /// Who is signed in; nil where nobody is, or it isn't known.
    var profile: String?

    /// Whether it is known who is signed in.
    var isProfileKnown = false

    /// What the list is called; empty where it has no name.
    var listName = ""

    /// How everything looks.
    var theme = UserSettings.Theme.pilbara

    /// What is wrong, in sentences, the most important first.
    var troubles: [[String]] = []

    /// Whether trying again may put something of it right.
    var canRetry = false

    /// Whether something can't be saved, and would be lost.
    var isAtRisk = false
}

/// What can be done everywhere.
struct FrameCallbacks: Relux.UI.ViewCallbacks {
    let retry: Relux.UI.ViewCallback<Void>

    static let noop = FrameCallbacks(retry: .noop)
}
