import Foundation
import Testing

@testable import SampleServices

@Suite(.timeLimit(.minutes(10))) struct FileUsersServiceTests {
    private let folder: TemporaryFolder
    private let (ann, bob): (ProfileName, ProfileName)

    init() throws {
        folder = try TemporaryFolder()
        (ann, bob) = (try ProfileName("Ann"), try ProfileName("Bob"))
    }

    private func service() -> FileUsersService {
        FileUsersService(folder: folder.path, lockLimit: .seconds(3_600))
    }

    @Test func `the file is one JSON object with all users`() async throws {
        let saved = try await service().save(.arrive(ann, at: .sample(0)))

        #expect(try await service().load().value == saved.value)
        #expect(
            try folder.read("users.json") == """
                {
                  "format" : "relux-users",
                  "users" : [
                    {
                      "name" : "Ann",
                      "presence" : "online",
                      "since" : "2023-11-14T22:13:20.000Z"
                    }
                  ],
                  "version" : 1
                }

                """
        )
    }

    @Test func `two services lose none of each other's changes`() async throws {
        let (mine, theirs) = (service(), service())
        _ = try await theirs.load()

        _ = try await mine.save(.arrive(ann, at: .sample(1)))
        _ = try await theirs.save(.arrive(bob, at: .sample(2)))
        let users = try await mine.save(.leave(ann, at: .sample(3))).value.users

        #expect(users.map(\.id) == ["ann", "bob"])
        #expect(users.map(\.presence) == [.offline, .online])
        #expect(users.map(\.since) == [.sample(3), .sample(2)])
    }

    @Test func `repeating an arrival changes only the spelling, and a stranger can't leave`() async throws {
        let service = service()
        _ = try await service.save(.arrive(ann, at: .sample(1)))

        let again = try await service.save(.arrive(try ProfileName("ANN"), at: .sample(9)))
        let stranger = try await service.save(.leave(bob, at: .sample(9)))

        #expect(again.value.users == [User(id: "ann", name: "ANN", presence: .online, since: .sample(1))])
        #expect(stranger == again)
    }

    @Test(
        arguments: [
            (#"{"name":"a/b","presence":"online","since":"2023-11-14T22:13:20.000Z"}"#, "has a slash"),
            (#"{"name":"Ann","presence":"away","since":"2023-11-14T22:13:20.000Z"}"#, "away"),
            (#"{"name":"Ann","presence":"online","since":"yesterday"}"#, "“yesterday” is not a date"),
            (#"{"name":"Ann","presence":"online"}"#, "“since” is missing"),
        ])
    func `a damaged user is reported, and the file is unchanged`(user: String, flaw: String) async throws {
        let text = #"{"format":"relux-users","version":1,"users":[\#(user)]}"#
        try folder.write(text, to: "users.json")

        let error = await #expect(throws: StorageError.self) { try await service().save(.arrive(bob, at: .sample(0))) }

        guard case .damaged(let found)? = error?.reason else { throw try #require(error) }
        #expect(found.contains(flaw))
        #expect(try folder.read("users.json") == text)
    }
}
