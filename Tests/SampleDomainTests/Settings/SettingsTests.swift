import Relux
import ReluxPersistence
import SampleServices
import Testing

@testable import SampleDomain

@Suite(.timeLimit(.minutes(10))) struct SettingsTests {
    @Test func `each setting changes by itself`() {
        var state = Settings.State()

        for setting: Settings.Setting in [.displayName("Ada"), .listName("Shopping"), .theme(.collaroy)] {
            state.reduce(.chosen(setting))
        }

        #expect(state.values == UserSettings(displayName: "Ada", listName: "Shopping", theme: .collaroy))
    }

    @Test func `of two programs that have changed two settings, both are right`() {
        let base = Settings.State(UserSettings(displayName: "Ada"))
        let (ours, theirs) = (
            Settings.State(UserSettings(displayName: "Ada", theme: .collaroy)),
            Settings.State(UserSettings(displayName: "Maya", listName: "Shopping"))
        )

        let merged = Settings.State.merged(base, ours, theirs)

        #expect(merged.values == UserSettings(displayName: "Maya", listName: "Shopping", theme: .collaroy))
    }

    @Test func `what another program chooses is followed`() async throws {
        let storage = Relux.MemoryStorage()
        let first = try await Relux.Store { Settings.Module(of: .guest, in: storage) }
        let second = try await Relux.Store { Settings.Module(of: .guest, in: storage) }

        await first.dispatch(Settings.State.Action.chosen(.theme(.collaroy)))
        try await first.saved()

        try await second.wait(until: Settings.State.self) { $0.values.theme == .collaroy }
    }

    @Test func `the table always has the same cells`() {
        let table = Settings.Table(UserSettings(displayName: "Ada"), .named("ada"))

        #expect(table.cells.map(\.id) == Settings.Table.Cell.Kind.allCases)
        #expect(table.cells.map(\.value) == ["Ada", "", "pilbara", "ada"])
        #expect(Settings.Table(UserSettings(), .guest).cells.map(\.value) == ["", "", "pilbara", ""])
    }
}
