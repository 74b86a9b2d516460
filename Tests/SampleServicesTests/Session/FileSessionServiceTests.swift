import Foundation
import SampleServices
import Testing

@testable import SampleServices

@Suite(.timeLimit(.minutes(10))) struct FileSessionServiceTests {
    private let folder: TemporaryFolder
    private let ada: ProfileName

    init() throws {
        folder = try TemporaryFolder()
        ada = try ProfileName("Ada")
    }

    private func service(_ system: FileSystem = .live) -> FileSessionService {
        FileSessionService(
            folder: folder.path, lockLimit: .seconds(3_600), clock: ContinuousClock(), system: system
        )
    }

    @Test func `at first nobody is signed in, and reading creates nothing`() async throws {
        let service = FileSessionService(folder: folder.path(of: "not/there"))

        #expect(try await service.current() == nil)
        try await service.signOut()

        #expect(try folder.names.isEmpty)
    }

    @Test func `a profile that has signed in is signed in for every process, in a folder of its own`() async throws {
        let profile = try await service().signIn(ada)

        #expect(try await service().current() == profile)
        #expect(profile == Profile(name: ada, folder: folder.path(of: "profiles/Ada")))
        #expect(try FileStamp(path: profile.folder)?.permissions == 0o700)
        #expect(try FileStamp(path: folder.path(of: "session.json"))?.permissions == 0o600)
        #expect(
            try folder.read("session.json") == """
                {
                  "format" : "relux-session",
                  "profile" : "Ada",
                  "version" : 1
                }

                """
        )
    }

    @Test func `what this program doesn't know is kept, even when nobody is signed in`() async throws {
        try folder.write(#"{"format":"relux-session","version":1,"profile":"Ada","since":7}"#, to: "session.json")

        try await service().signOut()

        #expect(try await service().current() == nil)
        #expect(try folder.read("session.json").contains("\"since\" : 7"))
    }

    @Test func `another profile replaces the previous one, whose folder is kept`() async throws {
        let service = service()
        _ = try await service.signIn(ada)

        let bob = try await service.signIn(ProfileName("Bob"))

        #expect(try await service.current() == bob)
        #expect(FileManager.default.fileExists(atPath: folder.path(of: "profiles/Ada")))
    }

    @Test func `signing out keeps the profile and its data`() async throws {
        let service = service()
        _ = try await service.signIn(ada)
        try folder.write("data", to: "profiles/Ada/items.jsonl")

        try await service.signOut()

        #expect(try await self.service().current() == nil)
        #expect(try folder.read("profiles/Ada/items.jsonl") == "data")
        #expect(try folder.names == ["profiles", "session.lock"])
    }

    @Test(
        arguments: [
            ("broken", .damaged("it is not the JSON of a session")),
            ("", .damaged("it is not the JSON of a session")),
            (#"{"format":"relux-items","version":1}"#, .foreignFormat("relux-items")),
            (#"{"format":"relux-session","version":2,"profile":"Ada"}"#, .foreignVersion(2, supported: 1)),
            (
                #"{"format":"relux-session","version":1,"profile":7}"#,
                .damaged("“profile” has a value of the wrong kind")
            ),
            (
                #"{"format":"relux-session","version":1,"profile":"../.."}"#,
                .damaged("a profile can't be called that. The name “../..” has a slash")
            ),
        ] as [(String, StorageError.Reason)])
    func `a file that can't be trusted signs nobody in, and is unchanged`(
        text: String,
        reason: StorageError.Reason
    ) async throws {
        try folder.write(text, to: "session.json")
        let service = service()
        let expected = StorageError(reason, file: folder.path(of: "session.json"))

        await #expect(throws: expected) { try await service.current() }
        await #expect(throws: expected) { try await service.signIn(ada) }
        await #expect(throws: expected) { try await service.signOut() }

        #expect(try folder.read("session.json") == text)
    }

    @Test func `a file that isn't UTF-8 is reported`() async throws {
        try Data([0xFF, 0xFE, 0x7B]).write(to: URL(filePath: folder.path(of: "session.json")))

        let error = await #expect(throws: StorageError.self) { try await service().current() }

        #expect(error?.reason == .damaged("it is not the JSON of a session"))
    }

    @Test func `a folder in place of the file is reported`() async throws {
        mkdir(folder.path(of: "session.json"), 0o700)

        let error = await #expect(throws: StorageError.self) { try await service().current() }

        #expect(error?.reason == .notAFile)
    }

    @Test func `a file in place of the profile's folder is reported, and the previous profile stays`() async throws {
        let service = service()
        let before = try await service.signIn(ProfileName("Bob"))
        try folder.write("", to: "profiles/Ada")

        let error = await #expect(throws: StorageError.self) { try await service.signIn(ada) }

        #expect(error == StorageError(.system(.folder, code: ENOTDIR), file: folder.path(of: "profiles/Ada")))
        #expect(try await service.current() == before)
    }

    @Test func `a full disk prevents signing in, but not signing out`() async throws {
        let before = try await service().signIn(ada)
        var system = FileSystem.live
        system.write = { (_, _) throws(SystemError) in throw SystemError(code: ENOSPC) }
        let service = service(system)

        let error = await #expect(throws: StorageError.self) { try await service.signIn(ProfileName("Bob")) }
        let present = try await service.current()
        try await service.signOut()

        #expect(error == StorageError(.diskFull, file: folder.path(of: "session.json")))
        #expect(present == before)
        #expect(try await self.service().current() == nil)
    }

    @Test func `a lock held elsewhere ends in a typed error`() async throws {
        let holder = try FileLock.ifFree(path: folder.path(of: "session.lock"))
        let service = FileSessionService(folder: folder.path, lockLimit: .seconds(1), clock: JumpingClock())

        let error = await #expect(throws: StorageError.self) { try await service.signIn(ada) }

        guard case .locked = error?.reason else { throw try #require(error) }
        #expect(try await service.current() == nil)
        withExtendedLifetime(holder) {}
    }
}
