import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The sagas of the settings, alone.
@Suite(.timeLimit(.minutes(10))) struct SettingsSagasTests {
    private let full = StorageError(.diskFull, file: "f")

    private func editor() async throws -> SagaTester<Settings.Command> {
        let tester = try await SagaTester(Settings.Editor(), states: [Settings.State()])
        try await tester.answer(Settings.Effect.self) { _ in .value(()) }
        return tester
    }

    @Test(
        arguments: [
            (.displayName(" Ada  L. "), SettingsChanges(displayName: "Ada  L.")),
            (.displayName(""), SettingsChanges(displayName: "")),
            (.listName("Chores"), SettingsChanges(listName: "Chores")),
            (.theme(.collaroy), SettingsChanges(theme: .collaroy)),
        ] as [(Settings.Setting, SettingsChanges)])
    func `a choice is in the state, with its save under way`(
        setting: Settings.Setting,
        changes: SettingsChanges
    ) async throws {
        let tester = try await editor()

        await tester.start(.choose(setting))

        #expect(tester.dispatched(Settings.State.Action.self) == [.changed(changes)])
        #expect(tester.dispatched(Settings.Effect.self) == [.save])
        #expect(tester.outcome?.description == "finished")
    }

    @Test(
        arguments: [
            (.displayName(String(repeating: "x", count: 81)), .tooLong(limit: 80)),
            (.listName(String(repeating: "x", count: 81)), .tooLong(limit: 80)),
            (.displayName("a\nb"), .severalLines),
            (.listName("a\u{1B}b"), .severalLines),
            (.listName("a\u{2028}b"), .severalLines),
        ] as [(Settings.Setting, SettingsError)])
    func `a name that is too long or has several lines is rejected, and nothing happens`(
        setting: Settings.Setting,
        error: SettingsError
    ) async throws {
        let tester = try await editor()

        await tester.start(.choose(setting))

        #expect(tester.steps.isEmpty)
        guard case .failed(let thrown)? = tester.outcome else { throw try #require(nil as SettingsError?) }
        #expect(thrown as? SettingsError == error)
    }

    /// The next theme used to be chosen relative to the displayed one, so that two quick keys acted like one.
    @Test func `choosing the next theme twice restores it, however fast`() async throws {
        let service = InMemorySettingsService(UserSettings(theme: .collaroy))
        let store = try await Relux.Store { Settings.Module(service: service, watchesElsewhere: false) }
        var seen: [UserSettings] = []

        for _ in 0..<2 {
            await store.dispatch(Settings.Command.chooseNextTheme).finished()
            seen.append(try await store.state(of: Settings.State.self).settings)
        }
        let twice = await store.dispatch(contentsOf: Array(repeating: Settings.Command.chooseNextTheme, count: 2))
        await twice.finished()

        // The first command reads the stored settings before it chooses anything.
        #expect(seen.map(\.theme) == [.pilbara, .collaroy])
        #expect(try await store.state(of: Settings.State.self).settings.theme == .collaroy)
    }

    @Test func `if no theme was chosen, the displayed one is the starting point`() async throws {
        let states: [any Relux.State] = [Settings.State().loaded, Settings.Appearance(theme: .collaroy)]
        let tester = try await SagaTester(Settings.Editor(), states: states)
        try await tester.answer(Settings.Effect.self) { _ in .value(()) }

        await tester.start(.chooseNextTheme)

        #expect(tester.dispatched(Settings.State.Action.self) == [.changed(SettingsChanges(theme: .pilbara))])
    }

    @Test func `without settings that can be read, there is no next theme`() async throws {
        let service = InMemorySettingsService { [full] (_) throws(StorageError) in throw full }
        let store = try await Relux.Store { Settings.Module(service: service, watchesElsewhere: false) }

        do throws(Relux.EffectError) {
            try await store.perform(Settings.Command.chooseNextTheme)
            Issue.record("It was chosen.")
        } catch {
            guard case .failed(let thrown as SettingsError) = error else { throw error }
            #expect(thrown == .notLoaded(full))
        }
        #expect(try await !store.state(of: Settings.State.self).hasUnsavedChanges)
    }

    @Test func `loading returns what is stored`() async throws {
        let settings = UserSettings(displayName: "Ada")
        let tester = try await SagaTester(
            Settings.Sync(service: InMemorySettingsService(settings)), states: [Settings.State()]
        )

        await tester.start(.load)

        #expect(
            tester.dispatched(Settings.State.Action.self) == [
                .loaded(SettingsSnapshot(settings: settings, revision: 1))
            ])
    }

    @Test func `failures to load and to save are reported`() async throws {
        let service = InMemorySettingsService { [full] (_) throws(StorageError) in throw full }
        var state = Settings.State()
        state.reduce(.changed(SettingsChanges(theme: .collaroy)))
        let tester = try await SagaTester(Settings.Sync(service: service), states: [state])

        await tester.start(.load)
        await tester.start(.save)

        #expect(
            tester.dispatched(Settings.State.Action.self) == [.loadFailed(full), .saveStarted, .saveFailed(full)])
        #expect(await service.saves.isEmpty)
    }

    @Test func `a save repeats until nothing is left`() async throws {
        let gate = Gate()
        let service = InMemorySettingsService { (_) throws(StorageError) in await gate.pass() }
        let store = try await Relux.Store { Settings.Module(service: service, watchesElsewhere: false) }

        try await store.perform(Settings.Command.choose(.displayName("A")))
        await gate.arrivals(1)
        try await store.perform(Settings.Command.choose(.displayName("B")))
        try await store.perform(Settings.Command.choose(.theme(.collaroy)))
        gate.open()
        try await store.idle()

        #expect(
            await service.saves == [
                SettingsChanges(displayName: "A"), SettingsChanges(displayName: "B", theme: .collaroy),
            ])
        let state = try await store.state(of: Settings.State.self)
        #expect(!state.hasUnsavedChanges && state.saving == .idle)
    }

    @Test func `without unsaved changes the service isn't called`() async throws {
        let service = InMemorySettingsService()
        let tester = try await SagaTester(Settings.Sync(service: service), states: [Settings.State()])

        await tester.start(.save)

        #expect(tester.steps.isEmpty)
        #expect(await service.saves.isEmpty)
    }

    @Test func `a service that reports cancellation by itself has failed, and leaves nothing running`() async throws {
        let given = StorageError(.cancelled, file: "f")
        let service = InMemorySettingsService { (_) throws(StorageError) in throw given }
        let tester = try await SagaTester(Settings.Sync(service: service), states: [Settings.State()])

        await tester.start(.load)

        #expect(tester.dispatched(Settings.State.Action.self) == [.loadFailed(given)])
    }
}

extension Settings.State {
    /// The state after reading settings that were never stored.
    fileprivate var loaded: Settings.State {
        var state = self
        state.reduce(.loaded(SettingsSnapshot(settings: UserSettings(), revision: 1)))
        return state
    }
}
