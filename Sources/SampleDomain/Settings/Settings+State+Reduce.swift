import Relux
import SampleServices

extension Settings.State {
    /// Changes the settings as the action demands.
    ///
    /// - Parameter action: What happened.
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

    /// Marks the work that an effect asks for as begun.
    ///
    /// - Parameter effect: What is asked for.
    public mutating func reduce(_ effect: Settings.Effect) {
        // A save says itself when it begins: it may have to wait for the one before it.
        if effect == .load { loading = .running }
    }

    /// Keeps what could not be sent for the next save.
    private mutating func keepWaiting() {
        (waiting, sending) = (unsaved, SettingsChanges())
    }

    private mutating func take(_ snapshot: SettingsSnapshot) {
        if let revision, snapshot.revision < revision { return }
        revision = snapshot.revision
        stored = snapshot.settings
    }
}
