import Relux
import SampleServices

extension Settings.State {
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

    private mutating func take(_ snapshot: SettingsSnapshot) {
        if let revision, snapshot.revision < revision { return }
        revision = snapshot.revision
        stored = snapshot.settings
    }
}
