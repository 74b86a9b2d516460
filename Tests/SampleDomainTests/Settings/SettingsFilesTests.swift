import Foundation
import Relux
import SampleDomain
import SampleServices
import Testing

/// Two stores on one folder, as in two programs.
@Suite(.timeLimit(.minutes(10))) struct SettingsFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store() async throws -> Relux.Store {
        let path = folder.path
        let store = try await Relux.Store { Settings.Module(service: FileSettingsService(folder: path)) }
        try await store.perform(Settings.Effect.load)
        return store
    }

    private func themes(of store: Relux.Store) -> Relux.StateValues<UserSettings.Theme> {
        store.values { states in try states.state(of: Settings.Appearance.self).theme }
    }

    @Test func `what one program chooses is shown in another, including the theme`() async throws {
        let (mine, theirs) = (try await store(), try await store())

        try await mine.perform(Settings.Command.choose(.theme(.collaroy)))
        for await theme in themes(of: theirs) where theme == .collaroy { break }

        let state = try await theirs.state(of: Settings.State.self)
        #expect(state.settings.theme == .collaroy && !state.hasUnsavedChanges)
    }

    /// If a program saved another program's change again, the two would trigger each other endlessly.
    @Test func `what another program has chosen isn't saved again`() async throws {
        let log = Log()
        let service = NotingSettingsService(folder: folder.path, log: log)
        let store = try await Relux.Store { Settings.Module(service: service) }
        try await store.perform(Settings.Effect.load)
        try await store.perform(Settings.Command.choose(.displayName("mine")))
        try await store.idle()

        _ = try await FileSettingsService(folder: folder.path).save(SettingsChanges(theme: .collaroy))
        for await theme in themes(of: store) where theme == .collaroy { break }
        try await store.idle()

        #expect(log.saves == [SettingsChanges(displayName: "mine")])
    }

    @Test func `a damaged file is reported, and the choice stays unsaved until the file is repaired`() async throws {
        let path = folder.path
        let store = try await Relux.Store {
            Settings.Module(service: FileSettingsService(folder: path), watchesElsewhere: false)
        }
        try folder.write("broken", to: "settings.json")

        try await store.perform(Settings.Command.choose(.theme(.collaroy)))
        try await store.idle()
        let failed = try await store.state(of: Settings.State.self)
        let untouched = try folder.read("settings.json")
        try FileManager.default.removeItem(atPath: folder.path(of: "settings.json"))
        try await store.perform(Settings.Effect.save)
        let saved = try await store.state(of: Settings.State.self)

        #expect(failed.saving.failure != nil && failed.settings.theme == .collaroy && untouched == "broken")
        #expect(!saved.hasUnsavedChanges)
        #expect(try await FileSettingsService(folder: path).load().settings.theme == .collaroy)
    }
}

private final class Log: Sendable {
    private let contents = Lock<[SettingsChanges]>([])

    var saves: [SettingsChanges] { contents.withLock { $0 } }

    func note(_ changes: SettingsChanges) { contents.withLock { $0.append(changes) } }
}

/// The real service, which records what it is asked to save.
private struct NotingSettingsService: SettingsService {
    let service: FileSettingsService
    let log: Log

    init(folder: String, log: Log) {
        service = FileSettingsService(folder: folder)
        self.log = log
    }

    func load() async throws(StorageError) -> SettingsSnapshot { try await service.load() }

    func save(_ changes: SettingsChanges) async throws(StorageError) -> SettingsSnapshot {
        log.note(changes)
        return try await service.save(changes)
    }

    func changesElsewhere() async -> AsyncStream<Result<SettingsSnapshot, StorageError>> {
        service.changesElsewhere()
    }
}
