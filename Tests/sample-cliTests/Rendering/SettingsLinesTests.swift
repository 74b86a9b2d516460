import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

@Suite struct SettingsLinesTests {
    private func table(_ changes: SettingsChanges, profile: ProfileName? = nil) -> Settings.Table {
        var state = Settings.State()
        state.reduce(.changed(changes))
        return Settings.Table(of: state, Settings.Appearance(), profile: profile)
    }

    @Test func `every cell has a line, below the title of its section`() throws {
        let changes = SettingsChanges(displayName: "Ada", theme: .collaroy)

        let lines = Style.plain.lines(of: table(changes, profile: try ProfileName("ada")))

        #expect(
            lines == [
                "Names",
                "  Display name  Ada",
                "  List name     (none)",
                "Appearance",
                "  Theme         collaroy",
                "Session",
                "  Signed in as  ada  (session logout signs out)",
            ]
        )
    }

    @Test func `a name can't control the terminal`() {
        let lines = Style.plain.lines(of: table(SettingsChanges(displayName: "\u{1B}[2J")))

        #expect(lines[1] == #"  Display name  \u{1B}[2J"#)
    }

    @Test func `a script gets every key, even without a value`() throws {
        let line = try SettingsJSON("listed", table(SettingsChanges())).line()

        #expect(
            line == """
                {"outcome":"listed","profile":null,"settings":{"displayName":"","listName":"",\
                "theme":"pilbara"}}
                """
        )
    }
}
