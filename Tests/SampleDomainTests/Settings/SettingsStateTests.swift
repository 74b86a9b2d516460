import Relux
import SampleServices
import Testing

@testable import SampleDomain

@Suite struct SettingsStateTests {
    private let error = StorageError(.diskFull, file: "f")

    private func snapshot(_ settings: UserSettings, _ revision: Int) -> SettingsSnapshot {
        SettingsSnapshot(settings: settings, revision: revision)
    }

    private func state(after actions: Settings.State.Action...) -> Settings.State {
        var state = Settings.State()
        for action in actions { state.reduce(action) }
        return state
    }

    @Test func `a choice is visible immediately, over what is stored`() {
        let state = state(
            after: .loaded(snapshot(UserSettings(displayName: "Ada", theme: .pilbara), 1)),
            .changed(SettingsChanges(theme: .collaroy))
        )

        #expect(state.settings == UserSettings(displayName: "Ada", theme: .collaroy))
        #expect(state.isLoaded && state.hasUnsavedChanges)
    }

    @Test func `what was saved is no longer unsaved, and what was chosen since still is`() {
        let state = state(
            after: .changed(SettingsChanges(displayName: "A", theme: .collaroy)), .saveStarted,
            .changed(SettingsChanges(displayName: "B")),
            .saved(snapshot(UserSettings(displayName: "A", theme: .collaroy), 1))
        )

        #expect(state.unsaved == SettingsChanges(displayName: "B"))
        #expect(state.settings == UserSettings(displayName: "B", theme: .collaroy))
        #expect(state.saving == .idle)
    }

    @Test func `what could not be saved waits for the next save, below what was chosen since`() {
        for end in [Settings.State.Action.saveFailed(error), .saveCancelled] {
            let state = state(
                after: .changed(SettingsChanges(displayName: "A", theme: .collaroy)), .saveStarted,
                .changed(SettingsChanges(displayName: "B")), end
            )

            #expect(state.unsaved == SettingsChanges(displayName: "B", theme: .collaroy))
            #expect(state.sending.isEmpty)
        }
    }

    /// It used to be mistaken for the choice that had just been saved, and was discarded with it. What another process
    /// had stored in between won, although it was older.
    @Test func `a choice that is repeated while it is being saved is kept`() {
        let state = state(
            after: .changed(SettingsChanges(theme: .pilbara)), .saveStarted,
            .changed(SettingsChanges(theme: .pilbara)), .saved(snapshot(UserSettings(theme: .pilbara), 1)),
            .changedElsewhere(snapshot(UserSettings(theme: .collaroy), 2))
        )

        #expect(state.settings.theme == .pilbara && state.hasUnsavedChanges)
    }

    @Test func `an older snapshot is ignored`() {
        let state = state(
            after: .changedElsewhere(snapshot(UserSettings(displayName: "new"), 2)),
            .loaded(snapshot(UserSettings(displayName: "old"), 1))
        )

        #expect(state.settings.displayName == "new" && state.isLoaded)
    }

    @Test func `changes made elsewhere are merged, except where something is unsaved`() {
        let state = state(
            after: .changed(SettingsChanges(displayName: "mine")), .elsewhereFailed(error),
            .changedElsewhere(snapshot(UserSettings(displayName: "theirs", listName: "theirs"), 1))
        )

        #expect(state.settings == UserSettings(displayName: "mine", listName: "theirs"))
        #expect(state.elsewhereFailure == nil)
    }

    @Test func `each kind of work reports its progress`() {
        var state = Settings.State()
        var told: [StorageProgress] = []

        state.reduce(Settings.Effect.load)
        told.append(state.loading)
        for action in [Settings.State.Action.loadFailed(error), .loadCancelled] {
            state.reduce(action)
            told.append(state.loading)
        }
        state.reduce(Settings.Effect.save)
        told.append(state.saving)
        for action in [Settings.State.Action.saveStarted, .saveFailed(error), .saveStarted, .saveCancelled] {
            state.reduce(action)
            told.append(state.saving)
        }
        state.reduce(.elsewhereFailed(error))

        #expect(told == [.running, .failed(error), .idle, .idle, .running, .failed(error), .running, .idle])
        #expect(state.elsewhereFailure == error && StorageProgress.failed(error).failure == error)
        #expect(StorageProgress.running.failure == nil)
    }

    @Test func `the theme follows the settings, and is kept when none is chosen`() {
        var appearance = Settings.Appearance()
        var themes: [UserSettings.Theme] = []
        let chosen = snapshot(UserSettings(theme: .pilbara), 2)
        let nothing = snapshot(UserSettings(), 3)

        let actions: [Settings.State.Action] = [
            .changed(SettingsChanges(displayName: "A")), .changed(SettingsChanges(theme: .collaroy)),
            .loadFailed(error),
            .changedElsewhere(chosen), .saved(nothing), .loaded(nothing),
        ]
        for action in actions {
            appearance.reduce(action)
            themes.append(appearance.theme)
        }

        #expect(themes == [.pilbara, .collaroy, .collaroy, .pilbara, .pilbara, .pilbara])
    }
}
