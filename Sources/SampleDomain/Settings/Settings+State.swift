public import Relux
public import SampleServices

extension Settings {
    /// What somebody has chosen, and what of it is not saved yet.
    public struct State: Relux.State, Hashable {
        /// What the service holds, as far as that is known.
        var stored = UserSettings()

        /// What was chosen before the save that is under way began.
        var sending = SettingsChanges()

        /// What was chosen since.
        var waiting = SettingsChanges()

        /// Whether the settings have been read.
        public internal(set) var isLoaded = false

        /// How far reading is.
        public internal(set) var loading: Progress = .idle

        /// How far saving is.
        public internal(set) var saving: Progress = .idle

        /// Why changes made elsewhere can't be seen at present, or nil.
        public internal(set) var elsewhereFailure: ProfileServiceError?

        /// The revision of the newest snapshot taken in; older ones are ignored.
        var revision: Int?

        /// Makes the state of somebody who hasn't chosen anything.
        public init() {}

        /// What isn't saved.
        public var unsaved: SettingsChanges {
            var changes = sending
            changes.add(waiting)
            return changes
        }

        /// The settings as the user has left them, saved or not.
        public var settings: UserSettings { unsaved.applied(to: stored) }

        /// Whether anything isn't saved.
        public var hasUnsavedChanges: Bool { !unsaved.isEmpty }
    }
}
