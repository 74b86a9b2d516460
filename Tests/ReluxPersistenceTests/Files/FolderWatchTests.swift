import Foundation
import Relux
import ReluxPersistence
import Testing

@Suite("Following files", .timeLimit(.minutes(10)))
struct FolderWatchTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("two hundred states in one folder are all followed")
    func manyStates() async throws {
        let (first, second) = (Relux.FileStorage(folder: folder.url), Relux.FileStorage(folder: folder.url))
        let streams = (0..<200).map { first.changes(of: "\($0)") }

        for number in 0..<200 { try await second.write(Data("1"), to: "\(number)") }

        for stream in streams { for await _ in stream { break } }
    }

    @Test("a folder that is removed and made again is followed on", arguments: [false, true])
    func remadeFolder(isLog: Bool) async throws {
        let inner = folder.url.appending(path: "a/b")
        func storage() -> any Relux.Storage {
            isLog ? Relux.LogStorage(file: inner.appending(path: "log")) : Relux.FileStorage(folder: inner)
        }
        let changes = storage().changes(of: "key")
        try await storage().write(Data("1"), to: "key")
        for await _ in changes { break }

        for number in 2..<6 {
            try FileManager.default.removeItem(at: number.isMultiple(of: 2) ? inner : inner.deletingLastPathComponent())
            try await storage().write(Data("\(number)"), to: "key")
            let reader = storage()
            for await _ in changes where try await reader.read("key") == Data("\(number)") { break }
        }
    }

    @Test("so is one whose old log is still open", arguments: [1, 2])
    func remadeFolderOfOpenLog(removed: Int) async throws {
        let inner = folder.url.appending(path: "a/b")
        let file = inner.appending(path: "log")
        let reader = Relux.LogStorage(file: file)
        try await reader.write(Data("1"), to: "key")
        let changes = reader.changes(of: "key")
        let old = try FileHandle(forReadingFrom: file)

        try FileManager.default.removeItem(at: removed == 1 ? inner : inner.deletingLastPathComponent())
        try await Relux.LogStorage(file: file).write(Data("2"), to: "key")
        for await _ in changes where try await reader.read("key") == Data("2") { break }
        try await Relux.LogStorage(file: file).write(Data("3"), to: "key")
        for await _ in changes where try await reader.read("key") == Data("3") { break }

        try old.close()
    }

    @Test("a log that others compact is followed on")
    func compaction() async throws {
        let log = folder.url.appending(path: "log")
        let (reader, writer) = (Relux.LogStorage(file: log), Relux.LogStorage(file: log))
        let changes = reader.changes(of: "key")
        for number in 0..<4 {
            let data = Data(repeating: UInt8(number), count: 100_000)
            try await writer.write(data, to: "key")
            for await _ in changes where try await reader.read("key") == data { break }
        }
    }
}
