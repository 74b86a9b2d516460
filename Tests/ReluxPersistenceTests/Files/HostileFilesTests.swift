import Foundation
import Relux
import Testing

@testable import ReluxPersistence

/// Files that nobody sane has written, and files that others must not read.
@Suite("Hostile files", .timeLimit(.minutes(10)))
struct HostileFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var file: URL { folder.url.appending(path: FileName.of("key")) }
    private var log: URL { folder.url.appending(path: "log") }
    private var storages: [(storage: any Relux.Storage, file: URL)] {
        [(Relux.FileStorage(folder: folder.url), file), (Relux.LogStorage(file: log), log)]
    }

    private func expectDamage(_ storage: any Relux.Storage, _ location: SourceLocation = #_sourceLocation) async {
        do {
            let data = try await storage.read("key")
            Issue.record("read \(data?.count ?? -1) bytes", sourceLocation: location)
        } catch Relux.StorageError.damaged("key", _) {
        } catch {
            Issue.record(error, sourceLocation: location)
        }
        await #expect(throws: (any Error).self, sourceLocation: location) {
            try await storage.write(Data("new"), to: "key")
        }
    }

    private func expectThatItCanBeSetAside(_ storage: any Relux.Storage) async throws {
        try await storage.setAside("key")
        #expect(try await storage.read("key") == nil)
        try await storage.write(Data("new"), to: "key")
        #expect(try await storage.read("key") == Data("new"))
    }

    @Test("a pipe and a folder in place of a file are damage, and can be set aside")
    func notFiles() async throws {
        for (storage, file) in storages {
            #expect(mkfifo(file.path(), 0o600) == 0)
            await expectDamage(storage)
            try await expectThatItCanBeSetAside(storage)
            try await storage.remove("key")
            try? FileManager.default.removeItem(at: file)

            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            await expectDamage(storage)
            try await expectThatItCanBeSetAside(storage)
        }
    }

    @Test("a folder in place of a file doesn't keep several keys from being removed, and the storage goes on")
    func removedFolder() async throws {
        for (storage, file) in storages {
            try await storage.write(Data("1"), to: "a")
            try? FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(
                at: file.appending(path: "inner"), withIntermediateDirectories: true)

            try await storage.remove(["a", "key"])

            #expect(try await storage.read("a") == nil)
            #expect(try await storage.keys() == [])
            try await storage.write(Data("2"), to: "key")
            #expect(try await storage.read("key") == Data("2"))
        }
    }

    @Test("a state whose file is another one starts again, if it says so or is told", arguments: [true, false])
    func startsAgain(setsAside: Bool) async throws {
        struct Note: Relux.State, Codable { var text = "" }
        struct Module: Relux.Module {
            let saved: Relux.Saved<Note, Note>
            var states: [any Relux.State] { [Note()] }
            var persistence: [any Relux.StatePersistence] { [saved] }
        }
        for (storage, file) in storages {
            try Data("garbage").write(to: file)
            let saved = Relux.Saved(Note.self, as: "key", in: storage, unreadable: setsAside ? .setAside : .refuse)
            let store = Relux.Store()
            if !setsAside {
                await #expect(throws: (any Error).self) { try await store.register(Module(saved: saved)) }
                try await saved.erase()
            }

            try await store.register(Module(saved: saved))

            #expect(try await store.state(of: Note.self).text == "")
            await store.shutdown()
        }
    }

    @Test("a link to a device is damage")
    func devices() async throws {
        for (storage, file) in storages {
            try FileManager.default.createSymbolicLink(atPath: file.path(), withDestinationPath: "/dev/zero")
            await expectDamage(storage)
        }
    }

    @Test("a sparse file of 8 TiB is damage, and nothing is allocated for it")
    func sparse() async throws {
        for (storage, file) in storages {
            #expect(FileManager.default.createFile(atPath: file.path(), contents: nil))
            #expect(truncate(file.path(), 8 << 40) == 0)
            await expectDamage(storage)
        }
    }

    @Test(
        "lengths that a file can't have are damage",
        arguments: ["4611686018427387904 1", "1 9223372036854775807", "-1 5", "4294967296 4294967296"])
    func lengths(counts: String) async throws {
        try Data("relux-file 1 00000000 \(counts)\nkey").write(to: file)

        await expectDamage(Relux.FileStorage(folder: folder.url))
    }

    @Test("a record of a log that says it has 2^62 bytes was never finished, and changes nothing before it")
    func longRecord() async throws {
        try await Relux.LogStorage(file: log).write(Data("1"), to: "key")
        let bytes = try Data(contentsOf: log)
        let format = try #require(LogFormat.reading(bytes)).format
        for (table, data) in [(UInt64(1) << 62, UInt64(3)), (17, 1 << 62), (.max, .max), (17, .max)] {
            try (bytes + format.head(table, data, at: bytes.count)).write(to: log)
            #expect(try await Relux.LogStorage(file: log).read("key") == Data("1"))
        }
    }

    @Test(
        "a log that is damaged everywhere is read little more than once",
        arguments: ["marks", "short records", "zeros", "zeros and records"])
    func readsOnce(contents: String) throws {
        let format = LogFormat()
        var bytes = format.line
        let start = bytes.count
        let size = 1 << 18
        switch contents {
        case "marks": bytes += Data((0..<(size / 4)).flatMap { _ in format.head(0, 0, at: 0).prefix(4) })
        case "zeros": bytes += Data(count: size)
        default:
            let gap = contents == "zeros and records" ? Data(count: 100) : Data("damage")
            while bytes.count < size { bytes += gap + format.record(["key": Data("1")], at: bytes.count + gap.count) }
        }
        var (calls, count) = (0, 0)

        let scan = format.scan(from: start, to: bytes.count) { offset, length in
            let data = Data(bytes.dropFirst(offset).prefix(length))
            (calls, count) = (calls + 1, count + data.count)
            return data
        }

        #expect(scan.isDamaged == (contents != "zeros"))
        #expect(count < bytes.count * 10, "\(count)")
        #expect(calls < max(scan.entries.count * 10, 100), "\(calls)")
    }

    @Test("zeros at the end of a log are read once, as long as nothing is appended")
    func readsZerosOnce() async throws {
        let count = Box(0)
        let system = FileSystem(durability: .kill, before: { call, _ in if call == "pread" { count.value += 1 } })
        let reader = Relux.LogStorage(file: log, files: system, smallestRewrite: 1 << 16)
        try await reader.write(Data("1"), to: "key")
        try (Data(contentsOf: log) + Data(count: 8 << 20)).write(to: log)
        #expect(try await reader.read("key") == Data("1"))

        count.value = 0
        for _ in 0..<10 { #expect(try await reader.read("key") == Data("1")) }
        #expect(count.value <= 20)
        try await Relux.LogStorage(file: log).write(Data("2"), to: "key")

        #expect(try await reader.read("key") == Data("2"))
    }

    @Test("data of 4 GiB are refused, and what was there stays")
    func largeData() async throws {
        for (storage, _) in storages {
            try await storage.write(Data("old"), to: "key")
            let error = await #expect(throws: Relux.StorageError.self) {
                try await storage.write(Data(count: 1 << 32), to: "key")
            }
            guard case .system(_, _, EFBIG) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(try await storage.read("key") == Data("old"))
        }
    }

    @Test("a copy of the log inside a value is never read, whichever byte of the log is damaged")
    func logInsideValue() async throws {
        let storage = Relux.LogStorage(file: log)
        try await storage.write(Data("old"), to: "a")
        try await storage.write(Data("old"), to: "b")
        let older = try Data(contentsOf: log)
        try await storage.write(Data("new"), to: "a")
        try await storage.write(Data("new"), to: "b")
        let start = try Data(contentsOf: log).count
        try await storage.write(older + older.dropFirst(64), to: "value")
        let whole = try Data(contentsOf: log)

        for index in start..<(start + 60) {
            var damaged = whole
            damaged[index] ^= 0x10
            try damaged.write(to: log)
            let reader = Relux.LogStorage(file: log)
            #expect(try await reader.read("a") == Data("new"), "\(index)")
            #expect(try await reader.read("b") == Data("new"), "\(index)")
        }
    }

    @Test("a damaged file with a long key keeps no other key from being listed, and no state from being set aside")
    func longKeys() async throws {
        let storage = Relux.FileStorage(folder: folder.url)
        let long = String(repeating: "long", count: 200)
        try await storage.write(Data("1"), to: long)
        try await storage.write(Data("2"), to: "other")
        try Data("damaged").write(to: folder.url.appending(path: FileName.of(long)))

        #expect(try await storage.keys() == ["other"])
        await #expect(throws: Relux.StorageError.self) { try await storage.read(long) }
        try await storage.setAside(["other", long])

        #expect(try await storage.keys() == [])
        #expect(try await storage.read(long) == nil)
    }

    private func mode(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path())
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test("new files and folders are readable by their owner only, and a file that exists keeps its permissions")
    func permissions() async throws {
        let inner = folder.url.appending(path: "new/folder")
        let (files, log) = (Relux.FileStorage(folder: inner), Relux.LogStorage(file: inner.appending(path: "log")))
        try await files.write(Data("1"), to: "key")
        try await log.write(Data("1"), to: "key")
        let file = inner.appending(path: FileName.of("key"))

        #expect(try mode(inner) == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: inner.path()) {
            #expect(try mode(inner.appending(path: name)) == 0o600, "\(name)")
        }
        #expect(chmod(file.path(), 0o640) == 0)
        try await files.write(Data("2"), to: "key")
        #expect(try mode(file) == 0o640)
        #expect(chmod(log.file.path(), 0o640) == 0)
        try Data(contentsOf: log.file).write(to: log.file.appendingPathExtension("copy"))
        for number in 0..<10 {
            let small = Relux.LogStorage(
                file: log.file, files: FileSystem(durability: .kill), smallestRewrite: 1)
            try await small.write(Data("\(number)"), to: "key")
        }
        #expect(try mode(log.file) == 0o640)
    }

    @Test("a link that was prepared under the temporary name is replaced, and its target stays")
    func preparedLink() async throws {
        let target = folder.url.appending(path: "target")
        try Data("precious").write(to: target)
        for (storage, file) in storages {
            let temporary = file.appendingPathExtension("tmp")
            try FileManager.default.createSymbolicLink(at: temporary, withDestinationURL: target)

            try await storage.write(Data("new"), to: "key")

            #expect(try await storage.read("key") == Data("new"))
            #expect(try Data(contentsOf: target) == Data("precious"))
        }
    }

    @Test("a journal that isn't the storage's is kept aside, and touches nothing outside the folder")
    func foreignJournal() async throws {
        let inner = folder.url.appending(path: "inner")
        let storage = Relux.FileStorage(folder: inner)
        try await storage.write(Data("1"), to: "key")
        let victim = folder.url.appending(path: "victim")
        try Data("precious").write(to: victim)
        let journal = inner.appending(path: ".journal")
        let long = String(repeating: "x", count: 300)
        for lines in [
            "../victim\n\n", "..\n\n", ".lock\n\n", "\n\n", "\nother\n", "key.saved\n\n/\n\n", "\(long)\n\n",
            "key.saved\n\(long)\n", "key.saved\0\n\n",
        ] {
            try Envelope.sealing(Data(lines), of: ".journal").write(to: journal)
            #expect(try await storage.read("key") == Data("1"))
            #expect(!FileManager.default.fileExists(atPath: journal.path()))
        }
        #expect(try Data(contentsOf: victim) == Data("precious"))
    }

    @Test("an operation on several files that stops after any call is all or nothing for the next storage")
    func severalFiles() async throws {
        let keys: Set<String> = ["a", "b", "c"]
        var calls = 0
        var outcomes: Set<String> = []
        while true {
            let inner = folder.url.appending(path: "\(calls)")
            let storage = Relux.FileStorage(folder: inner)
            try await storage.update(keys) { $0 = ["a": Data("old"), "b": Data("old")] }
            let files = FaultyFiles()
            files.set { $0.callsLeft = calls }
            let killed = Relux.FileStorage(folder: inner, files: files.system(.power))
            let isDone =
                (try? await killed.update(keys) { $0 = ["a": Data("new"), "c": Data("new")] }) != nil

            let next = Relux.FileStorage(folder: inner)
            let found = Box<[String: Data]>([:])
            try await next.update(keys) { found.value = $0 }
            let (old, new) = (["a": Data("old"), "b": Data("old")], ["a": Data("new"), "c": Data("new")])
            #expect(found.value == old || found.value == new, "\(calls)")
            #expect(try await Set(next.keys()) == Set(found.value.keys))
            outcomes.insert(found.value == old ? "old" : "new")
            if isDone { break }
            calls += 1
        }
        #expect(outcomes == ["old", "new"])
    }

    @Test("a folder that is reached through a link or with .. is the same place")
    func places() async throws {
        let real = folder.url.appending(path: "real")
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
        let link = folder.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)

        #expect(Relux.FileStorage(folder: link) == Relux.FileStorage(folder: real))
        #expect(
            Relux.FileStorage(folder: link.appending(path: "new"))
                == Relux.FileStorage(folder: real.appending(path: "new")))
        #expect(
            Relux.LogStorage(file: link.appending(path: "log"))
                == Relux.LogStorage(file: real.appending(path: "x/../log")))
        #expect(Relux.FileStorage(folder: link.appending(path: "..")) == Relux.FileStorage(folder: folder.url))
    }

    @Test(
        "a relative link leads from its own folder, to a folder and to a log, also to one that isn't there yet",
        arguments: [false, true])
    func relativeLinks(isThere: Bool) async throws {
        let real = folder.url.appending(path: "real")
        let target = Relux.LogStorage(file: real.appending(path: "log"))
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
        if isThere { try await target.write(Data("old"), to: "key") }
        for (link, target) in [("link", "real"), ("log", "real/log")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.url.appending(path: link).path(), withDestinationPath: target)
        }

        let log = Relux.LogStorage(file: folder.url.appending(path: "log"))

        #expect(Relux.FileStorage(folder: folder.url.appending(path: "link")) == Relux.FileStorage(folder: real))
        #expect(log == target)
        if !isThere { try await log.write(Data("old"), to: "key") }
        #expect(try await Relux.LogStorage(file: real.appending(path: "log")).read("key") == Data("old"))
    }

    @Test("links that lead to each other are a place of their own")
    func circularLinks() throws {
        for (link, target) in [("a", "b"), ("b", "a")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.url.appending(path: link).path(), withDestinationPath: target)
        }

        let log = Relux.LogStorage(file: folder.url.appending(path: "a"))

        #expect(log == Relux.LogStorage(file: folder.url.appending(path: "a")))
    }

    @Test("a URL without an absolute path is one")
    func relativeURLs() async throws {
        let url = try #require(URL(string: "saved"))

        #expect(Relux.FileStorage(folder: url) == Relux.FileStorage(folder: URL(filePath: "/saved")))
    }
}
