import Foundation
import Relux
import SampleDomain
import SampleServices
import Testing

/// Two stores on one data folder, as in two programs.
@Suite(.timeLimit(.minutes(10))) struct SessionFilesTests {
    private let folder: TemporaryFolder
    private let ada: ProfileName

    init() throws {
        folder = try TemporaryFolder()
        ada = try ProfileName("Ada")
    }

    private func store(_ log: Log = Log()) async throws -> Relux.Store {
        let (path, door) = (folder.path, ProfileDoor())
        let store = try await Relux.Store {
            Session.Module(
                service: NotingSessionService(folder: path, log: log), door: door, patience: .seconds(3_600))
            Items.Module(
                service: ProfileService(behind: door) { FileItemsService(folder: $0) },
                history: ProfileService(behind: door) { FileItemsHistoryService(folder: $0) })
            Settings.Module(service: ProfileService(behind: door) { FileSettingsService(folder: $0) })
        }
        try await store.perform(Session.Command.restore)
        return store
    }

    /// Waits until the profile has entered, or nobody if nil.
    private func entrance(of name: ProfileName?, in store: Relux.Store) async throws {
        for await standing in store.values(of: Session.State.self, \.standing) {
            switch standing {
            case .unknown: continue
            case .nobody: if name == nil { return try await store.idle() }
            case .signedIn(let profile): if profile.name == name { return try await store.idle() }
            }
        }
    }

    @Test func `signing in and out in one program does the same in the other`() async throws {
        let (mine, theirs) = (try await store(), try await store())

        try await mine.perform(Session.Command.signIn(ada))
        try await entrance(of: ada, in: theirs)
        try await theirs.perform(Items.Command.add(title: "For Ada", .end))
        try await theirs.perform(Session.Command.signOut)
        try await entrance(of: nil, in: mine)

        #expect(try await mine.state(of: Items.State.self).list == Items.List())
        #expect(
            try await FileItemsService(folder: folder.path(of: "profiles/Ada")).load().items.map(\.title)
                == ["For Ada"])
        #expect(try await FileItemsService(folder: folder.path).load().items.isEmpty)
    }

    /// If a program stored again what another program has stored, the two would trigger each other endlessly.
    @Test func `what another program has stored isn't stored again`() async throws {
        let log = Log()
        let (mine, theirs) = (try await store(), try await store(log))

        try await mine.perform(Session.Command.signIn(ada))
        try await entrance(of: ada, in: theirs)
        try await mine.perform(Session.Command.signOut)
        try await entrance(of: nil, in: theirs)
        try await mine.idle()

        #expect(log.writes == 0)
    }
}

private final class Log: Sendable {
    private let contents = Lock(0)

    var writes: Int { contents.withLock { $0 } }

    func note() { contents.withLock { $0 += 1 } }
}

/// The real service, which records how often it is asked to write.
private struct NotingSessionService: SessionService {
    let service: FileSessionService
    let log: Log

    init(folder: String, log: Log) {
        service = FileSessionService(folder: folder)
        self.log = log
    }

    var commonFolder: String { service.commonFolder }

    func current() async throws(StorageError) -> Profile? { try await service.current() }

    func signIn(_ name: ProfileName) async throws(StorageError) -> Profile {
        log.note()
        return try await service.signIn(name)
    }

    func signOut() async throws(StorageError) {
        log.note()
        try await service.signOut()
    }

    func changesElsewhere() async -> AsyncStream<Result<Profile?, StorageError>> {
        await service.changesElsewhere()
    }
}
