import SampleServices
import Testing

@Suite struct SettingsChangesTests {
    private let all = SettingsChanges(displayName: "Ada", listName: "Chores", theme: .collaroy)

    @Test func `no changes change nothing`() {
        let settings = UserSettings(displayName: "Ada", listName: "Chores", theme: .pilbara)

        #expect(SettingsChanges().isEmpty && !all.isEmpty)
        #expect(SettingsChanges().applied(to: settings) == settings)
    }

    @Test func `each change affects its setting and no other`() {
        #expect(SettingsChanges(displayName: "x").applied(to: UserSettings()) == UserSettings(displayName: "x"))
        #expect(SettingsChanges(listName: "x").applied(to: UserSettings()) == UserSettings(listName: "x"))
        #expect(SettingsChanges(theme: .collaroy).applied(to: UserSettings()) == UserSettings(theme: .collaroy))
    }

    @Test func `later changes win, and the others are kept`() {
        var changes = all

        changes.add(SettingsChanges(displayName: "Bob"))

        #expect(changes == SettingsChanges(displayName: "Bob", listName: "Chores", theme: .collaroy))
    }
}
