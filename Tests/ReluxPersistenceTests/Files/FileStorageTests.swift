import Foundation
import Relux
import Testing

@testable import ReluxPersistence

@Suite("File storage", .timeLimit(.minutes(10)))
struct FileStorageTests {
    private let folder: TemporaryFolder
    private let files = FaultyFiles()
    private let storage: Relux.FileStorage
    private let old = Data("the old value")
    private let new = Data("the new value, which is longer")

    init() throws {
        folder = try TemporaryFolder()
        storage = Relux.FileStorage(folder: folder.url, files: files.system(.power))
    }

    private var path: URL { folder.url.appending(path: FileName.of("key")) }

    @Test("a folder that can't be made is reported with the system's own reason")
    func impossibleFolder() async throws {
        try Data().write(to: folder.url.appending(path: "file"))
        let storage = Relux.FileStorage(folder: folder.url.appending(path: "file/a/b"))

        let error = await #expect(throws: Relux.StorageError.self) { try await storage.write(new, to: "key") }

        #expect(error?.description.hasSuffix("\(String(cString: strerror(ENOTDIR))) (\(ENOTDIR))") == true)
    }

    @Test("a folder in folders that don't exist yet is made")
    func nestedFolder() async throws {
        let storage = Relux.FileStorage(folder: folder.url.appending(path: "a/b/c"))

        try await storage.write(new, to: "key")

        #expect(try await storage.read("key") == new)
    }

    @Test("a write that fails at any byte leaves the old value, and nothing else", arguments: [false, true])
    func failingBytes(isKilled: Bool) async throws {
        let size = Envelope.sealing(new, of: "key").count

        for byte in 0..<size {
            try await storage.write(old, to: "key")
            files.set { ($0.bytesLeft, $0.isKilledByFailure) = (byte, isKilled) }
            await #expect(throws: Relux.StorageError.self) { try await storage.write(new, to: "key") }
            files.set { $0 = FaultyFiles.Faults() }

            #expect(try await storage.read("key") == old)
            #expect(try await storage.keys() == ["key"])
            if !isKilled { #expect(folder.names == [FileName.of("key")]) }
        }
        try await storage.write(new, to: "key")
        #expect(try await storage.read("key") == new)
        #expect(folder.names == [FileName.of("key")])
    }

    @Test("short writes write everything")
    func shortWrites() async throws {
        files.set { $0.longestWrite = 3 }

        try await storage.write(new, to: "key")

        #expect(try await storage.read("key") == new)
    }

    @Test(
        "if a call of the system fails, the error says so, and the old value is there",
        arguments: ["open", "pwrite", "fsync", "rename", "flock", "mkdir"])
    func failingCalls(call: String) async throws {
        try await storage.write(old, to: "key")

        files.set { $0.failing = [call] }
        let error = await #expect(throws: Relux.StorageError.self) { try await storage.write(new, to: "key") }
        files.set { $0 = FaultyFiles.Faults() }

        guard case .system(call, _, EACCES) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let present = try await storage.read("key")
        // A folder that could not be synchronised has the new name already.
        #expect(present == old || call == "fsync" && present == new)
        try await storage.write(new, to: "key")
        #expect(try await storage.read("key") == new)
    }

    @Test("no call writes 2 GiB, which Apple's systems refuse")
    func longWrites() {
        #expect(FileSystem(durability: .kill).longestWrite(8 << 30) <= Int(Int32.max))
    }

    @Test("a lock that is removed while somebody waits for it excludes nobody, so the new one is taken")
    func removedLock() throws {
        let path = folder.url.appending(path: ".lock").path()
        let isRemoved = Box(false)
        let files = FileSystem(
            durability: .kill,
            before: { call, _ in
                if call == "flock", !isRemoved.value {
                    isRemoved.value = true
                    try FileManager.default.removeItem(atPath: path)
                }
            })

        #expect(try files.whileLocked(path) { try files.exists(path) })
    }

    @Test("what can't be read is not taken for nothing", arguments: ["open", "pread"])
    func failingReads(call: String) async throws {
        try await storage.write(old, to: "key")

        files.set { $0.failing = [call] }

        await #expect(throws: Relux.StorageError.self) { try await storage.read("key") }
    }

    @Test("a file that is damaged at any byte, cut short, or extended is damaged")
    func damage() async throws {
        try await storage.write(old, to: "key")
        let whole = try Data(contentsOf: path)

        for index in whole.indices {
            for bit in 0..<8 {
                var damaged = whole
                damaged[index] ^= 1 << UInt8(bit)
                try damaged.write(to: path)
                await expectDamage()
            }
            try whole.prefix(index).write(to: path)
            await expectDamage()
        }
        try (whole + Data([0])).write(to: path)
        await expectDamage()
        try Data("something else".utf8).write(to: path)
        await expectDamage()
        try whole.write(to: path)
        #expect(try await storage.read("key") == old)
    }

    private func expectDamage(_ location: SourceLocation = #_sourceLocation) async {
        do {
            let data = try await storage.read("key")
            Issue.record("read \(String(describing: data))", sourceLocation: location)
        } catch Relux.StorageError.damaged {
        } catch {
            Issue.record(error, sourceLocation: location)
        }
    }

    @Test("an operation on several files returns when the end of its journal is durable")
    func durableJournal() async throws {
        let calls = Box<[String]>([])
        let system = FileSystem(durability: .power, before: { call, path in calls.value.append("\(call) \(path)") })
        let storage = Relux.FileStorage(folder: folder.url, files: system)

        try await storage.update(["a", "b"]) { $0 = ["a": Data("1"), "b": Data("1")] }

        let end = try #require(calls.value.lastIndex { $0.hasPrefix("unlink") && $0.hasSuffix("/.journal") })
        #expect(calls.value[end...].contains { $0.hasPrefix("fsync") })
    }

    @Test("a damaged file can be set aside, as it is")
    func setAsideDamaged() async throws {
        try Data("foreign").write(to: path)

        try await storage.setAside("key")

        #expect(try await storage.read("key") == nil)
        #expect(try Data(contentsOf: path.appendingPathExtension("aside-1")) == Data("foreign"))
    }

    @Test("what may only be read can be read")
    func readOnly() async throws {
        try await storage.write(old, to: "key")
        files.set { $0.failing = ["pwrite", "unlink", "flock", "mkdir", "rename"] }

        #expect(try await storage.read("key") == old)
        #expect(try await storage.keys() == ["key"])
    }

    @Test("storages in the same folder are equal")
    func equality() throws {
        let same = Relux.FileStorage(folder: folder.url.appending(path: "x/.."))

        #expect(storage == same)
        #expect(storage.hashValue == same.hashValue)
        #expect(storage != Relux.FileStorage(folder: folder.url.appending(path: "x")))
    }
}
