public import Relux
public import SampleServices

extension Settings {
    /// The theme that is displayed, in a state of its own because it outlives the settings.
    ///
    /// A sign-out removes the settings, but the screen shouldn't change its colours at that moment. The last theme is
    /// therefore kept until another one is chosen.
    public struct Appearance: Relux.State, Hashable {
        /// The state has no actions of its own. It follows the actions of ``Settings/State``.
        public typealias Action = Never

        /// The theme that is displayed.
        public internal(set) var theme: UserSettings.Theme

        /// Creates an appearance.
        public init(theme: UserSettings.Theme = .pilbara) {
            self.theme = theme
        }

        /// Follows the settings.
        mutating func reduce(_ action: State.Action) {
            switch action {
            case .changed(let changes): theme = changes.theme ?? theme
            case .loaded(let snapshot), .saved(let snapshot), .changedElsewhere(let snapshot):
                theme = snapshot.value.theme ?? theme
            case .loadFailed, .loadCancelled, .saveStarted, .saveFailed, .saveCancelled, .elsewhereFailed: break
            }
        }
    }
}
