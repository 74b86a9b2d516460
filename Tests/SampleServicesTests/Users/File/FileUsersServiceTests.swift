import Foundation
import Testing

@testable import SampleServices

@Suite(.timeLimit(.minutes(10))) struct FileUsersServiceTests {
    private let folder: TemporaryFolder
    private let ann: User.Name

    init() throws {
        folder = try TemporaryFolder()
        ann = try User.Name("Ann")
    }

    private func service(at seconds: Int = 0, system: FileSystem = .live) -> FileUsersService {
        FileUsersService(
            folder: folder.path, lockLimit: .seconds(3), clock: JumpingClock(), now: { .sample(seconds) },
            system: system, whenClosed: nil
        )
    }

    private func write(_ text: String, to name: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path(of: "users"), withIntermediateDirectories: true)
        try folder.write(text, to: "users/\(name)")
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "users")).sorted() }
    }

    @Test func `if nobody has ever arrived, there are no users, and nothing is created`() async throws {
        let snapshot = try await service().users()

        #expect(snapshot == UsersSnapshot(users: [], revision: 1))
        #expect(try folder.names == [])
    }

    @Test func `a user who arrives has a file, for its owner only, that other services see`() async throws {
        let passage = try await service(at: 7).arrive(ann)

        let expected = User(id: "ann", name: "Ann", presence: .online, since: .sample(7))
        #expect(passage == Passage(expected, isNews: true))
        #expect(try await service().users().users == [expected])
        #expect(try names == [".lock", "ann.json"])
        let file = try FileStamp(path: folder.path(of: "users/ann.json"))
        #expect(file?.permissions == 0o600)
    }

    @Test func `a user who leaves keeps the file, and can arrive again`() async throws {
        _ = try await service(at: 1).arrive(ann)

        let left = try await service(at: 2).leave(try User.Name("ANN"))
        let back = try await service(at: 3).arrive(ann)

        #expect(left == Passage(User(id: "ann", name: "Ann", presence: .offline, since: .sample(2)), isNews: true))
        #expect(back == Passage(User(id: "ann", name: "Ann", presence: .online, since: .sample(3)), isNews: true))
        #expect(try await service().users().users == [back.user])
    }

    @Test func `a user who is already online stays unchanged, as does the file`() async throws {
        let first = try await service(at: 1).arrive(ann)
        let stamp = try FileStamp(path: folder.path(of: "users/ann.json"))

        let second = try await service(at: 2).arrive(ann)

        #expect(second == Passage(first.user, isNews: false))
        #expect(try FileStamp(path: folder.path(of: "users/ann.json")) == stamp)
    }

    @Test func `another spelling of a name belongs to the same user, and replaces the previous one`() async throws {
        _ = try await service(at: 1).arrive(ann)

        let passage = try await service(at: 2).arrive(try User.Name("ANN"))

        #expect(passage == Passage(User(id: "ann", name: "ANN", presence: .online, since: .sample(1)), isNews: false))
        #expect(try await service().users().users == [passage.user])
    }

    @Test func `a user who has never arrived can't leave, folder or not, and nothing is created`() async throws {
        let error = UsersServiceError(.unknown("Ann"), file: folder.path(of: "users"))

        await #expect(throws: error) { try await service().leave(ann) }
        #expect(try folder.names == [])
        _ = try await service().arrive(try User.Name("Bob"))
        await #expect(throws: error) { try await service().leave(ann) }
        #expect(try names == [".lock", "bob.json"])
    }

    @Test func `what can't be read is reported, and hides nobody else`() async throws {
        _ = try await service().arrive(ann)
        try write("garbage", to: "bob.json")
        try write(String(repeating: " ", count: 20_000), to: "long.json")
        try FileManager.default.createDirectory(
            atPath: folder.path(of: "users/room.json"), withIntermediateDirectories: false
        )
        for (link, target) in [("circle.json", "circle.json"), ("nowhere.json", "nowhere")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(of: "users/\(link)"), withDestinationPath: folder.path(of: "users/\(target)")
            )
        }

        let snapshot = try await service().users()

        #expect(snapshot.users.map(\.id) == ["ann"])
        #expect(
            snapshot.damages == [
                UsersServiceError(.damaged("it is no JSON object"), file: folder.path(of: "users/bob.json")),
                UsersServiceError(.system(.read, code: ELOOP), file: folder.path(of: "users/circle.json")),
                UsersServiceError(.damaged("it is too long"), file: folder.path(of: "users/long.json")),
                UsersServiceError(.notAFile, file: folder.path(of: "users/room.json")),
            ]
        )
    }

    @Test func `hidden files, and files with other extensions, are ignored`() async throws {
        for name in ["README.txt", "ann.json~", ".ann.json.1234.tmp", ".hidden.json"] { try write("x", to: name) }

        #expect(try await service().users() == UsersSnapshot(users: [], revision: 1))
    }

    @Test func `a damaged file isn't written to`() async throws {
        try write("garbage", to: "ann.json")
        let error = UsersServiceError(.damaged("it is no JSON object"), file: folder.path(of: "users/ann.json"))

        await #expect(throws: error) { try await service().arrive(ann) }
        await #expect(throws: error) { try await service().leave(ann) }

        #expect(try folder.read("users/ann.json") == "garbage")
    }

    @Test func `only a change results in a new revision`() async throws {
        let service = service()
        let first = try await service.users()
        _ = try await self.service().arrive(ann)

        let second = try await service.users()
        let third = try await service.users()
        try FileManager.default.removeItem(atPath: folder.path(of: "users/ann.json"))
        let fourth = try await service.users()

        #expect([first, second, third, fourth].map(\.revision) == [1, 2, 2, 3])
        #expect(third == second && fourth.users == [])
    }

    @Test func `a file in place of the folder is reported`() async throws {
        try folder.write("", to: "users")
        let path = folder.path(of: "users")

        await #expect(throws: UsersServiceError(.system(.folder, code: ENOTDIR), file: path)) {
            try await service().users()
        }
        await #expect(throws: UsersServiceError(.system(.folder, code: ENOTDIR), file: path)) {
            try await service().arrive(ann)
        }
        await #expect(throws: UsersServiceError.self) { try await service().leave(ann) }
    }

    @Test func `a lock that is held too long is reported, and nothing is changed`() async throws {
        _ = try await service().arrive(ann)
        let path = folder.path(of: "users/.lock")
        let holder = try FileLock.ifFree(path: path)

        let error = await #expect(throws: UsersServiceError.self) { try await service().leave(ann) }

        withExtendedLifetime(holder) {}
        #expect(error?.file == path)
        guard case .locked(let waited)? = error?.reason else { throw try #require(error) }
        #expect(waited >= .seconds(3))
        #expect(try await service().users().users.map(\.presence) == [.online])
    }

    @Test func `a full disk leaves the old version alone`() async throws {
        _ = try await service(at: 1).arrive(ann)
        var system = FileSystem.live
        system.write = { (_, _) throws(SystemError) in throw SystemError(code: ENOSPC) }

        await #expect(throws: UsersServiceError(.diskFull, file: folder.path(of: "users/ann.json"))) {
            try await service(at: 2, system: system).leave(ann)
        }

        #expect(try await service().users().users.map(\.presence) == [.online])
        #expect(try names == [".lock", "ann.json"])
    }

    @Test func `a call that is cancelled while the lock is held changes nothing`() async throws {
        _ = try await service().arrive(ann)
        let path = folder.path(of: "users/.lock")
        let holder = try FileLock.ifFree(path: path)
        let service = FileUsersService(
            folder: folder.path, clock: JumpingClock { _ in throw CancellationError() }, whenClosed: nil
        )

        await #expect(throws: UsersServiceError(.cancelled, file: path)) { try await service.leave(ann) }

        withExtendedLifetime(holder) {}
        #expect(try await service.users().users.map(\.presence) == [.online])
    }

    @Test func `many concurrent arrivals and departures are all recorded`() async throws {
        // On the real clock, because each call has to wait for the others.
        let path = folder.path
        let service = FileUsersService(folder: path, lockLimit: .seconds(50))

        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    let name = try User.Name("User \(number)")
                    _ = try await FileUsersService(folder: path, lockLimit: .seconds(50)).arrive(name)
                    if number.isMultiple(of: 2) { _ = try await service.leave(name) }
                }
            }
            try await group.waitForAll()
        }

        let users = try await service.users().users
        #expect(users.count == 20 && users.count { $0.presence == .online } == 10)
        #expect(try names.count == 21)
    }

    @Test func `a link to a folder is equivalent to that folder, including its lock`() async throws {
        try FileManager.default.createDirectory(atPath: folder.path(of: "shared"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(of: "users"), withDestinationPath: folder.path(of: "shared")
        )

        _ = try await service().arrive(ann)

        let shared = try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "shared")).sorted()
        #expect(shared == [".lock", "ann.json"])
    }
}
