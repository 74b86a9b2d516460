import Foundation
import Testing

@testable import SampleServices

@Suite(.timeLimit(.minutes(10))) struct FileTutorialServiceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func service(lockLimit: Duration = .seconds(3_600)) -> FileTutorialService {
        FileTutorialService(folder: folder.path, lockLimit: lockLimit)
    }

    @Test func `at first nothing is remembered, and reading creates nothing`() async throws {
        let service = FileTutorialService(folder: folder.path(of: "not/there"))

        #expect(try await service.memory() == .untouched)
        #expect(try folder.names.isEmpty)
    }

    @Test func `what is remembered is remembered by every process`() async throws {
        try await service().begin().end(remembering: .given)

        #expect(try await service().memory() == .given)
        #expect(
            try folder.read("tutorial.json") == """
                {
                  "format" : "relux-tutorial",
                  "tutorial" : "given",
                  "version" : 1
                }

                """
        )
        try await service().begin().end(remembering: .wanted)
        #expect(try await service().begin().memory == .wanted)
    }

    @Test func `a turn excludes all others, and one that isn't ended changes nothing`() async throws {
        var turn: TutorialTurn? = try await service().begin()

        await #expect(throws: ProfileServiceError.self) { try await service(lockLimit: .zero).begin() }
        #expect(try await service(lockLimit: .zero).memory() == .untouched)
        withExtendedLifetime(turn) {}
        turn = nil

        #expect(try await service(lockLimit: .zero).begin().memory == .untouched)
    }

    @Test func `of many that start at once, only one finds it untouched`() async throws {
        let found = try await withThrowingTaskGroup { group in
            for _ in 0..<10 {
                group.addTask {
                    let turn = try await service().begin()
                    if turn.memory == .untouched { try await turn.end(remembering: .given) }
                    return turn.memory
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(found.filter { $0 == .untouched }.count == 1)
        #expect(found.filter { $0 == .given }.count == 9)
    }

    @Test(arguments: [
        ("half a fi", "The file is damaged: it is not the JSON of the memory of a tutorial."),
        (#"{"format":"relux-tutorial","version":1}"#, "The file is damaged: “tutorial” is missing."),
        (
            #"{"format":"relux-tutorial","version":1,"tutorial":"maybe"}"#,
            "The file is damaged: “tutorial” is “given” or “wanted”, and not “maybe”."
        ),
        (#"{"format":"relux-session","version":1}"#, "The file is of another kind: its format is “relux-session”."),
    ])
    func `a damaged memory is reported and left unchanged`(text: String, explanation: String) async throws {
        try folder.write(text, to: "tutorial.json")

        let error = await #expect(throws: ProfileServiceError.self) { try await service().memory() }
        await #expect(throws: ProfileServiceError.self) { try await service().begin() }

        #expect(error?.explanation == explanation)
        #expect(try folder.read("tutorial.json") == text)
    }
}
