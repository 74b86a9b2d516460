public import Relux
public import SampleServices

extension Settings {
    /// How everything looks: a state of its own, because it outlives the settings.
    ///
    /// Who signs out leaves no settings behind, and yet the screen shouldn't change its colours under the next one's
    /// eyes. So the theme seen last stays until somebody has chosen another.
    public struct Appearance: Relux.State, Hashable {
        /// It has no actions of its own; it follows those of ``Settings/State``.
        public typealias Action = Never

        /// The theme that was seen last.
        public internal(set) var theme: UserSettings.Theme

        /// Makes an appearance.
        ///
        /// - Parameter theme: The theme at the beginning.
        public init(theme: UserSettings.Theme = .pilbara) {
            self.theme = theme
        }

        /// Follows the settings.
        ///
        /// - Parameter action: What happened to them.
        mutating func reduce(_ action: State.Action) {
            switch action {
            case .changed(let changes): theme = changes.theme ?? theme
            case .loaded(let snapshot), .saved(let snapshot), .changedElsewhere(let snapshot):
                theme = snapshot.settings.theme ?? theme
            case .loadFailed, .loadCancelled, .saveStarted, .saveFailed, .saveCancelled, .elsewhereFailed: break
            }
        }
    }
}
