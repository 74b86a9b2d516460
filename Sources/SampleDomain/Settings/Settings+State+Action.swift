public import Relux
public import SampleServices

extension Settings.State {
    /// What happens to settings.
    public enum Action: Relux.Action, Hashable {
        /// The settings were read.
        case loaded(SettingsSnapshot)

        /// The settings could not be read.
        case loadFailed(ProfileServiceError)

        /// Reading was cancelled.
        case loadCancelled

        /// The user changed settings.
        case changed(SettingsChanges)

        /// A save started, of everything that was changed before.
        case saveStarted

        /// The save succeeded. The snapshot is what is stored now.
        case saved(SettingsSnapshot)

        /// The changes could not be saved.
        case saveFailed(ProfileServiceError)

        /// Saving was cancelled.
        case saveCancelled

        /// The settings were changed elsewhere.
        case changedElsewhere(SettingsSnapshot)

        /// Changes made elsewhere can't be read.
        case elsewhereFailed(ProfileServiceError)
    }
}
