import Foundation
import Relux
import Testing

@testable import ReluxPersistence

@Suite("Storages", .timeLimit(.minutes(10)))
struct StorageTests {
    /// The storages of this library, which all keep the same promises.
    enum Kind: CaseIterable, Sendable {
        case memory, file, synchronizedFile, log, synchronizedLog

        func make(in folder: TemporaryFolder) -> any Relux.Storage {
            switch self {
            case .memory: Relux.MemoryStorage()
            case .file: Relux.FileStorage(folder: folder.url)
            case .synchronizedFile: Relux.FileStorage(folder: folder.url, durability: .power)
            case .log: Relux.LogStorage(file: folder.url.appending(path: "log"))
            case .synchronizedLog: Relux.LogStorage(file: folder.url.appending(path: "log"), durability: .power)
            }
        }
    }

    private static let keys = [
        "", "plain", "Plain", "../up", "/root", ".", "..", "a/b", "a%2Fb", "a\u{0}b", "with space", "tab\t", "日本語", "é",
        ".lock", "name.tmp", "log", String(repeating: "long/", count: 2000), "%", "%%",
        "\u{FEFF}", "\u{FEFF}mark",
    ]

    @Test(
        "any string is a key of its own, and nothing is read under a key that has not been written",
        arguments: Kind.allCases)
    func anyKey(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let storage = kind.make(in: folder)

        for key in Self.keys { #expect(try await storage.read(key) == nil, "\(key)") }
        for (number, key) in Self.keys.enumerated() { try await storage.write(Data("\(number)"), to: key) }
        for (number, key) in Self.keys.enumerated() {
            #expect(try await storage.read(key) == Data("\(number)"), "\(key)")
        }
        #expect(try await Set(storage.keys()) == Set(Self.keys))

        for key in Self.keys { try await storage.remove(key) }
        #expect(try await storage.keys().isEmpty)
        #expect(try await storage.read("plain") == nil)
    }

    @Test("the keys that start with a text are listed, without the data of others", arguments: Kind.allCases)
    func keysStartingWith(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let storage = try #require(kind.make(in: folder) as? any LockingStorage)
        let long = String(repeating: "long", count: 100)
        let starts = ["list//", "List//", "li/st//", "\(long)//", "list"]
        let keys = Set(starts.flatMap { start in ["", "a", "%", "\(long)1", "a//b"].map { start + $0 } })
        for key in keys { try await storage.write(Data("data"), to: key) }
        // A damaged file still tells its key.
        for name in folder.names where kind == .file && name.hasPrefix("%%") {
            let path = folder.url.appending(path: name)
            var bytes = try Data(contentsOf: path)
            bytes[bytes.count - 1] ^= 1
            try bytes.write(to: path)
        }

        for start in starts {
            #expect(try await Set(storage.keys(startingWith: start)) == keys.filter { $0.hasPrefix(start) }, "\(start)")
        }
    }

    @Test("strings that are equal are one key, however they are composed", arguments: Kind.allCases)
    func composedKeys(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let storage = kind.make(in: folder)

        try await storage.write(Data("1"), to: "caf\u{E9}")
        try await storage.write(Data("2"), to: "cafe\u{301}")

        #expect(try await storage.read("caf\u{E9}") == Data("2"))
        #expect(try await storage.keys().count == 1)
    }

    @Test("reading, listing, and removing nothing creates nothing", arguments: Kind.allCases)
    func nothing(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let storage = kind.make(in: folder)

        #expect(try await storage.read("key") == nil)
        #expect(try await storage.keys() == [])
        try await storage.remove("key")

        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path()) == [])
    }

    @Test("empty data are data", arguments: Kind.allCases)
    func emptyData(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let storage = kind.make(in: folder)

        try await storage.write(Data(), to: "key")

        #expect(try await storage.read("key") == Data())
    }

    @Test("the beginning of data is read without the rest", arguments: Kind.allCases)
    func beginning(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let storage = try #require(kind.make(in: folder) as? any LockingStorage)
        #expect(try await storage.beginning(of: "key", count: 3) == nil)
        try await storage.write(Data("beginning and end"), to: "key")
        #expect(try await storage.beginning(of: "key", count: 100) == Data("beginning and end"))

        if let name = folder.names.first {
            let file = folder.url.appending(path: name)
            var contents = try Data(contentsOf: file)
            contents[contents.count - 1] ^= 1
            let handle = try FileHandle(forWritingTo: file)
            try handle.write(contentsOf: contents)
            await #expect(throws: Relux.StorageError.self) { try await kind.make(in: folder).read("key") }
        }

        #expect(try await storage.beginning(of: "key", count: 9) == Data("beginning"))
    }

    @Test("what was written is there for the next storage in the same place", arguments: Kind.allCases.dropFirst())
    func reopened(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let storage = kind.make(in: folder)
        for number in 0..<20 { try await storage.write(Data("\(number)"), to: "\(number % 3)") }
        try await storage.remove("0")

        let other = kind.make(in: folder)
        #expect(try await Set(other.keys()) == ["1", "2"])
        #expect(try await other.read("1") == Data("19"))
        try await other.write(Data("new"), to: "1")

        #expect(try await storage.read("1") == Data("new"))
    }

    @Test("an update is one operation: of 400 increments by two storages, none is lost", arguments: Kind.allCases)
    func updates(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let first = kind.make(in: folder)
        let second = kind == .memory ? first : kind.make(in: folder)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for _ in 0..<100 {
                        try await (task.isMultiple(of: 2) ? first : second).update("count") { data in
                            let count = data.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
                            return Data("\(count + 1)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }

        #expect(try await first.read("count") == Data("400"))
        #expect(try await second.read("count") == Data("400"))
    }

    @Test("an update that throws changes nothing, and one that returns nil removes", arguments: Kind.allCases)
    func updateThrows(kind: Kind) async throws {
        struct Failure: Error {}
        let folder = try TemporaryFolder()
        let storage = kind.make(in: folder)
        try await storage.write(Data("1"), to: "key")

        await #expect(throws: Failure.self) { try await storage.update("key") { _ in throw Failure() } }
        #expect(try await storage.read("key") == Data("1"))
        try await storage.update("key") { _ in nil }

        #expect(try await storage.read("key") == nil)
    }

    @Test("what is set aside is kept, each time under another name", arguments: Kind.allCases)
    func setAside(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let storage = kind.make(in: folder)

        for text in ["one", "two"] {
            try await storage.write(Data(text), to: "key")
            try await storage.setAside("key")
            #expect(try await storage.read("key") == nil)
        }
        try await storage.setAside("key")

        if let memory = storage as? Relux.MemoryStorage {
            #expect(memory.data == ["key.aside-1": Data("one"), "key.aside-2": Data("two")])
        } else {
            let aside = folder.names.filter { $0.contains(".aside-") }
            #expect(aside.count == 2)
            for (name, text) in zip(aside, ["one", "two"]) {
                let contents = try Data(contentsOf: folder.url.appending(path: name))
                #expect(contents.range(of: Data(text)) != nil, "\(name)")
            }
        }
    }

    @Test("data that can be read by now are not set aside, and damaged ones are in any case", arguments: Kind.allCases)
    func setAsideUnlessGood(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let storage = try #require(kind.make(in: folder) as? any LockingStorage)
        let all = ["a": Data("first data"), "b": Data("second data")]
        for (key, data) in all { try await storage.write(data, to: key) }
        func hasFirst() async throws -> Bool { try await storage.read("a") != nil }

        try await storage.setAside(["a", "b", "none"]) { $0 == all }
        #expect(try await hasFirst())
        try await storage.setAside(["a", "b"]) { $0 != all }
        #expect(try await !hasFirst())

        guard kind != .memory else { return }
        for (key, data) in all { try await storage.write(data, to: key) }
        for name in folder.names where !name.contains("aside") {
            let path = folder.url.appending(path: name)
            var bytes = try Data(contentsOf: path)
            guard let place = bytes.range(of: Data("first data"), options: .backwards) else { continue }
            bytes[place.lowerBound] ^= 1
            let handle = try FileHandle(forWritingTo: path)
            try handle.write(contentsOf: bytes)
        }
        await #expect(throws: Relux.StorageError.self) { try await hasFirst() }
        try await storage.setAside(["a", "b"]) { _ in true }
        #expect(try await !hasFirst())
        #expect(try await storage.read("b") == nil)
    }

    @Test("what others write before the lock is there isn't set aside", arguments: [Kind.file, .log])
    func replacedDamage(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        try await kind.make(in: folder).write(Data("good"), to: "key")
        let path = folder.url.appending(path: try #require(folder.names.first))
        let good = try Data(contentsOf: path)
        try Data("something else").write(to: path)
        let files = FileSystem(
            durability: .kill, before: { call, _ in if call == "flock" { try good.write(to: path) } })
        let storage: any LockingStorage =
            kind == .file
            ? Relux.FileStorage(folder: folder.url, files: files)
            : Relux.LogStorage(file: path, files: files, smallestRewrite: 1 << 16)

        try await storage.setAside(["key"]) { $0["key"] == Data("good") }

        #expect(try await kind.make(in: folder).read("key") == Data("good"))
        #expect(folder.names.count == 1)
    }

    @Test("changes by another storage in the same place are reported", arguments: Kind.allCases)
    func changes(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let first = kind.make(in: folder)
        try await first.write(Data("0"), to: "key")
        let second = kind == .memory ? first : kind.make(in: folder)
        let changes = first.changes(of: "key")

        for number in 1...3 {
            try await second.write(Data("\(number)"), to: "key")
            for await _ in changes where try await first.read("key") == Data("\(number)") { break }
        }
    }
}
