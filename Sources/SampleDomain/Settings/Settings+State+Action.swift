public import Relux
public import SampleServices

extension Settings.State {
    /// What happens to settings.
    public enum Action: Relux.Action, Hashable {
        /// They were read.
        case loaded(SettingsSnapshot)

        /// They could not be read.
        case loadFailed(ProfileServiceError)

        /// Nobody waits for them any more.
        case loadCancelled

        /// The user has chosen something else.
        case changed(SettingsChanges)

        /// A save has begun, of everything that was chosen before.
        case saveStarted

        /// That was saved, and this is stored now.
        case saved(SettingsSnapshot)

        /// The changes could not be saved.
        case saveFailed(ProfileServiceError)

        /// The save was given up.
        case saveCancelled

        /// Another process has changed them.
        case changedElsewhere(SettingsSnapshot)

        /// What other processes have stored can't be read.
        case elsewhereFailed(ProfileServiceError)
    }
}
