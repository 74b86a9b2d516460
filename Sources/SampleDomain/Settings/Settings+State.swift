public import Relux
public import SampleServices

extension Settings {
    /// The settings, and which of their changes are not saved yet.
    public struct State: Relux.State, Hashable {
        /// The stored settings, as far as they are known.
        var stored = UserSettings()

        /// The changes that the running save is saving.
        var sending = SettingsChanges()

        /// The changes made since that save started.
        var waiting = SettingsChanges()

        /// Whether the settings have been read.
        public internal(set) var isLoaded = false

        /// The progress of reading.
        public internal(set) var loading: StorageProgress = .idle

        /// The progress of saving.
        public internal(set) var saving: StorageProgress = .idle

        /// Why changes made elsewhere currently can't be received, or nil.
        public internal(set) var elsewhereFailure: ProfileServiceError?

        /// The revision of the newest snapshot received. Older snapshots are ignored.
        var revision: Int?

        /// Creates the state of a user who hasn't chosen anything.
        public init() {}

        /// The unsaved changes.
        public var unsaved: SettingsChanges {
            var changes = sending
            changes.add(waiting)
            return changes
        }

        /// The settings with all of the user's changes, saved or not.
        public var settings: UserSettings { unsaved.applied(to: stored) }

        /// Whether there are unsaved changes.
        public var hasUnsavedChanges: Bool { !unsaved.isEmpty }
    }
}
