import Relux
import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

/// Work that keys have started just before the user leaves.
@Suite(.timeLimit(.minutes(10))) struct LeavingTests {
    private let items = InMemoryItemsService()
    private let settings = InMemorySettingsService()

    private func store() async throws -> Relux.Store {
        try await Relux.Store {
            Items.Module(service: items, watchesElsewhere: false)
            Settings.Module(service: settings, watchesElsewhere: false)
            Trouble.Module(patience: .seconds(3_600))
        }
    }

    @Test func `everything fired before leaving is saved, in the order of the keys`() async throws {
        let titles = (1...50).map { "Item \($0)" }
        let store = try await store()
        let list = ItemsContainer(dispatcher: store.dispatcher, say: { _ in }, focus: { _ in }).callbacks
        let table = SettingsContainer(dispatcher: store.dispatcher, say: { _ in }).callbacks

        for title in titles { list.add.fire(title, false) }
        table.choose.fire(.displayName("Ada"))
        let isSaved = try await RootContainer(dispatcher: store.dispatcher).leave()

        #expect(isSaved)
        #expect(await Items.List(items.value).active.map(\.title) == titles)
        #expect(await settings.saves == [SettingsChanges(displayName: "Ada")])
    }

    @Test func `leaving during a change of profile waits for it`() async throws {
        let changes = Changes()
        let store = try await Relux.Store { changes }

        #expect(try await RootContainer(dispatcher: store.dispatcher).leave())
        #expect(await changes.leaver.count == 2)
    }

    @Test func `an unhandled departure is reported`() async throws {
        let store = Relux.Store()

        await #expect(throws: Relux.EffectError.self) {
            try await RootContainer(dispatcher: store.dispatcher).leave()
        }
    }
}

/// Answers only the second departure. The first one is cancelled, as by a change of profile.
private struct Changes: Relux.Module {
    actor Leaver: Relux.Flow {
        private(set) var count = 0

        func run(_ departure: Trouble.Departure, in context: Relux.SagaContext) async throws -> Bool {
            count += 1
            if count == 1 { throw CancellationError() }
            return true
        }
    }

    let leaver = Leaver()
    var flows: [any Relux.Flow] { [leaver] }
}
