import Foundation
import SampleServices
import Testing

/// Several programs on one list.
@Suite(.runsPrograms, .timeLimit(.minutes(10))) struct ManyProcessesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `two terminals that add concurrently lose nothing`() async throws {
        let path = folder.path

        try await withThrowingTaskGroup { group in
            for terminal in ["A", "B"] {
                group.addTask {
                    for number in 1...50 {
                        let result = try await ChildProcess.run([
                            "items", "add", "\(terminal)\(number)", "--data", path,
                        ])
                        #expect(result.status == 0, "\(result.error)")
                    }
                }
            }
            try await group.waitForAll()
        }

        let items = try await FileItemsService(folder: path).load().value
        #expect(Set(items.map(\.title)) == Set(["A", "B"].flatMap { name in (1...50).map { "\(name)\($0)" } }))
        #expect(items.count == 100)
        #expect(try await FileItemsHistoryService(folder: path).load().value.done.count == 100)
        #expect(try folder.names == ["items-history.jsonl", "items.jsonl", "items.lock"])
    }

    @Test func `a program that is killed while it saves leaves a valid file and no lock`() async throws {
        let service = FileItemsService(folder: folder.path)
        var titles = Set(try await service.save((1...1_000).map { .insert(.sample($0)) }).value.map(\.title))

        for round in 1...10 {
            let result = try await ChildProcess.run(
                ["items", "add", "Round \(round)", "--verbose", "--data", folder.path],
                interruption: ChildProcess.Interruption(signal: SIGKILL, marker: "saveStarted")
            )

            let now = try await Set(FileItemsService(folder: folder.path).load().value.map(\.title))
            #expect(result.wasEndedBySignal || result.status == 0)
            #expect(now == titles || now == titles.union(["Round \(round)"]))
            titles = now
        }
        let last = try await ChildProcess.run(["items", "add", "Last", "--data", folder.path])

        #expect(last.status == 0, "\(last.error)")
        #expect(try folder.names == ["items-history.jsonl", "items.jsonl", "items.lock"])
        #expect(try await service.load().value.count == titles.count + 1)
    }

    @Test func `an import that is killed leaves whole batches and no lock, and another one succeeds`() async throws {
        try folder.write((1...5_000).map { "Title \($0)\n" }.joined(), to: "titles.txt")
        let file = folder.path(of: "titles.txt")
        let data = folder.path(of: "data")
        var count = 0

        for marker in ["saveStarted", "importSaved", "importBegan"] {
            let result = try await ChildProcess.run(
                ["items", "import", file, "--verbose", "--data", data],
                interruption: ChildProcess.Interruption(signal: SIGKILL, marker: marker)
            )
            let now = try await FileItemsService(folder: data).load().value.count
            #expect(result.wasEndedBySignal || result.status == 0)
            #expect(now >= count && now <= count + 5_000 && now % 1_000 == 0)
            count = now
        }
        let last = try await ChildProcess.run(["items", "import", file, "--json", "--data", data])

        #expect(last.output == "{\"added\":5000,\"blank\":0,\"outcome\":\"imported\"}\n", "\(last.error)")
        #expect(try await FileItemsService(folder: data).load().value.count == count + 5_000)
        #expect(try folder.names(in: "data") == ["items-history.jsonl", "items.jsonl", "items.lock"])
    }
}
