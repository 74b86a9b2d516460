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
        public internal(set) var elsewhereFailure: StorageError?

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

extension Settings.State {
    /// What happens to settings.
    public enum Action: Relux.Action, Hashable {
        /// The settings were read.
        case loaded(Snapshot<UserSettings>)
        /// The settings could not be read.
        case loadFailed(StorageError)
        /// Reading was cancelled.
        case loadCancelled
        /// The user changed settings.
        case changed(SettingsChanges)
        /// A save started, of everything that was changed before.
        case saveStarted
        /// The save succeeded. The snapshot is what is stored now.
        case saved(Snapshot<UserSettings>)
        /// The changes could not be saved.
        case saveFailed(StorageError)
        /// Saving was cancelled.
        case saveCancelled
        /// The settings were changed elsewhere.
        case changedElsewhere(Snapshot<UserSettings>)
        /// Changes made elsewhere can't be read.
        case elsewhereFailed(StorageError)
    }

    /// Applies an action to the settings.
    ///
    /// - Complexity: O(1).
    public mutating func reduce(_ action: Action) {
        switch action {
        case .loaded(let snapshot):
            isLoaded = true
            loading = .idle
            take(snapshot)
        case .loadFailed(let error): loading = .failed(error)
        case .loadCancelled: loading = .idle

        case .changed(let changes): waiting.add(changes)

        case .saveStarted:
            saving = .running
            (sending, waiting) = (unsaved, SettingsChanges())
        case .saved(let snapshot):
            saving = .idle
            sending = SettingsChanges()
            take(snapshot)
        case .saveFailed(let error):
            saving = .failed(error)
            keepWaiting()
        case .saveCancelled:
            saving = .idle
            keepWaiting()

        case .changedElsewhere(let snapshot):
            elsewhereFailure = nil
            take(snapshot)
        case .elsewhereFailed(let error): elsewhereFailure = error
        }
    }

    /// Marks requested work as started.
    public mutating func reduce(_ effect: Settings.Effect) {
        // A save dispatches its own start, because it may have to wait for the previous one.
        if effect == .load { loading = .running }
    }

    /// Keeps what could not be saved for the next save.
    private mutating func keepWaiting() {
        (waiting, sending) = (unsaved, SettingsChanges())
    }

    private mutating func take(_ snapshot: Snapshot<UserSettings>) {
        if let revision, snapshot.revision < revision { return }
        revision = snapshot.revision
        stored = snapshot.value
    }
}
