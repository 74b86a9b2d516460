import SampleServices
import Testing

@testable import SampleDomain

@Suite struct SettingsTableTests {
    @Test func `the table is the same for everybody, with each user's choices`() throws {
        var state = Settings.State()
        state.reduce(.changed(SettingsChanges(displayName: "Ada", theme: .collaroy)))
        let name = try ProfileName("ada")

        let table = Settings.Table(of: state, Settings.Appearance(), profile: name)

        #expect(table.sections.map(\.id) == Settings.Section.Kind.allCases)
        #expect(table.cells == [.displayName("Ada"), .listName(""), .theme(.collaroy), .signOut(name)])
    }

    @Test func `if nobody is signed in, nobody can sign out`() {
        let table = Settings.Table(of: Settings.State(), Settings.Appearance(), profile: nil)

        #expect(table.sections.map(\.id) == [.names, .appearance])
        #expect(table.cells == [.displayName(""), .listName(""), .theme(.pilbara)])
    }

    @Test func `if no theme was chosen, the last one displayed is used`() {
        let table = Settings.Table(of: Settings.State(), Settings.Appearance(theme: .collaroy), profile: nil)

        #expect(table.cells.contains(.theme(.collaroy)))
    }

    @Test func `equal states make equal tables, which can be compared and kept in sets`() {
        let one = Settings.Table(of: Settings.State(), Settings.Appearance(), profile: nil)
        let other = Settings.Table(of: Settings.State(), Settings.Appearance(), profile: nil)

        #expect(Set([one, other]).count == 1)
    }
}
