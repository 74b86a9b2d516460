import SampleServices
import Testing

@testable import SampleDomain

/// The differences between settings.
@Suite struct SettingsChangesTests {
    private func state(_ settings: UserSettings) -> Settings.State {
        var state = Settings.State()
        state.reduce(.loaded(SettingsSnapshot(settings: settings, revision: 1)))
        return state
    }

    @Test func `each setting with a different value is reported with it, in the order of the table`() {
        let now = state(UserSettings(displayName: "Ada", listName: "Chores", theme: .collaroy))

        #expect(
            now.changes(since: state(UserSettings()))
                == [.displayName("Ada"), .listName("Chores"), .theme(.collaroy)])
        #expect(now.changes(since: now).isEmpty)
    }

    @Test func `choosing the current value changes nothing, and clearing a choice does`() {
        let (none, pilbara) = (state(UserSettings()), state(UserSettings(theme: .pilbara)))
        let collaroy = state(UserSettings(theme: .collaroy))

        #expect(pilbara.changes(since: none).isEmpty)
        #expect(none.changes(since: collaroy) == [.theme(.pilbara)])
    }
}
