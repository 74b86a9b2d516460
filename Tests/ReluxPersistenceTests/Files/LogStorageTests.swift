import Foundation
import Relux
import Testing

@testable import ReluxPersistence

@Suite("Log storage", .timeLimit(.minutes(10)))
struct LogStorageTests {
    private let folder: TemporaryFolder
    private let files = FaultyFiles()

    init() throws {
        folder = try TemporaryFolder()
    }

    private var path: URL { folder.url.appending(path: "log") }

    private func storage(rewriting size: Int = 1 << 16) -> Relux.LogStorage {
        Relux.LogStorage(file: path, files: files.system(.power), smallestRewrite: size)
    }

    private func value(_ number: Int) -> Data { Data("value \(number)") }

    @Test("a write appends one record with its own data, however much there is already")
    func appends() async throws {
        let storage = storage()
        for number in 0..<1000 { try await storage.write(value(number), to: "\(number)") }
        let before = try Data(contentsOf: path)

        try await storage.write(Data("changed"), to: "500")

        let after = try Data(contentsOf: path)
        let format = try #require(LogFormat.reading(before)).format
        #expect(after == before + format.record(["500": Data("changed")], at: before.count))
    }

    @Test("a file that is mostly outdated is rewritten, and keeps what counts")
    func rewrites() async throws {
        let storage = storage(rewriting: 1000)
        try await storage.write(Data("kept"), to: "kept")

        for number in 0..<1000 { try await storage.write(value(number), to: "changing") }
        try await storage.remove("nothing")

        #expect(try Data(contentsOf: path).count < 2000)
        let other = self.storage()
        #expect(try await other.read("kept") == Data("kept"))
        #expect(try await other.read("changing") == value(999))
        #expect(folder.names == ["log"])
    }

    @Test("an append that fails at any byte changes nothing, also if the process ends there", arguments: [false, true])
    func failingAppends(isKilled: Bool) async throws {
        let size = LogFormat().record(["key": value(1)], at: 0).count
        try await storage().write(value(0), to: "key")
        try await storage().write(value(0), to: "other")
        let before = try Data(contentsOf: path)

        for byte in 0..<size {
            let storage = storage()
            files.set { ($0.bytesLeft, $0.isKilledByFailure) = (byte, isKilled) }
            await #expect(throws: Relux.StorageError.self) { try await storage.write(value(1), to: "key") }
            files.set { $0 = FaultyFiles.Faults() }

            for reader in [storage, self.storage()] {
                #expect(try await reader.read("key") == value(0), "\(byte)")
                #expect(try await reader.read("other") == value(0), "\(byte)")
            }
            // The next write cuts off what was never finished.
            try await storage.write(value(2), to: "key")
            #expect(try await self.storage().read("key") == value(2))
            #expect(folder.names == ["log"])
            try before.write(to: path)
        }
    }

    @Test("a rewrite that fails at any byte changes nothing", arguments: [false, true])
    func failingRewrites(isKilled: Bool) async throws {
        let setup = storage()
        for number in 0..<10 { try await setup.write(value(number), to: "key") }
        try await setup.write(Data("other"), to: "other")
        let before = try Data(contentsOf: path)
        var byte = 0

        while true {
            let storage = storage(rewriting: 1)
            files.set { ($0.bytesLeft, $0.isKilledByFailure) = (byte, isKilled) }
            let isWritten = (try? await storage.write(Data("new"), to: "key")) != nil
            files.set { $0 = FaultyFiles.Faults() }
            if isWritten { break }

            #expect(try await self.storage().read("key") == value(9), "\(byte)")
            #expect(try await self.storage().read("other") == Data("other"), "\(byte)")
            byte += 1
        }

        #expect(byte > 50 && byte < before.count)
        #expect(try await self.storage().read("key") == Data("new"))
        #expect(try await self.storage().read("other") == Data("other"))
    }

    @Test("calls of the system that fail change nothing", arguments: ["open", "pwrite", "fsync", "flock", "pread"])
    func failingCalls(call: String) async throws {
        try await storage().write(value(0), to: "key")
        let storage = storage()

        files.set { $0.failing = [call] }
        await #expect(throws: Relux.StorageError.self) {
            try await storage.write(value(1), to: "key")
            _ = try await storage.read("key")
        }
        files.set { $0 = FaultyFiles.Faults() }

        let present = try await storage.read("key")
        #expect(present == value(0) || call == "pread")
        try await storage.write(value(2), to: "key")
        #expect(try await self.storage().read("key") == value(2))
    }

    @Test("a file that ends anywhere in its last record is read without it, and the next write cuts it off")
    func tornTails() async throws {
        try await storage().write(value(0), to: "key")
        let before = try Data(contentsOf: path)
        try await storage().write(value(1), to: "key")
        let whole = try Data(contentsOf: path)

        for count in before.count..<whole.count {
            try whole.prefix(count).write(to: path)
            let storage = storage()
            #expect(try await storage.read("key") == value(0), "\(count)")
            try await storage.write(value(2), to: "other")
            #expect(try await self.storage().read("key") == value(0))
            #expect(try await self.storage().read("other") == value(2))
            #expect(folder.names == ["log"])
        }
        try (whole + Data(repeating: 0, count: 4096)).write(to: path)
        #expect(try await storage().read("key") == value(1))
        try await storage().write(value(3), to: "key")
        #expect(try await storage().read("key") == value(3))
        #expect(folder.names == ["log"])
    }

    @Test("a last record with parts that a power failure has left zero was never finished", arguments: [false, true])
    func unwrittenParts(ofTable: Bool) async throws {
        try await storage().write(value(0), to: "key")
        let start = try Data(contentsOf: path).count
        let name = String(repeating: "k", count: ofTable ? 8000 : 1)
        try await storage().update(["key", name]) { $0 = ["key": Data(repeating: 1, count: 5000), name: value(1)] }
        let whole = try Data(contentsOf: path)

        for place in stride(from: (start / 512 + 1) * 512, through: whole.count - 512, by: 512) {
            var bytes = whole
            bytes.replaceSubrange(place..<(place + 512), with: Data(count: 512))
            try bytes.write(to: path)
            #expect(try await storage().read("key") == value(0), "\(place)")
            try await storage().write(value(2), to: "other")
            #expect(try await storage().read("key") == value(0))
            #expect(try await storage().read("other") == value(2))
            #expect(folder.names == ["log"])
        }
    }

    @Test(
        "a disk that is too full for a rewrite takes what is appended, but what has taken the file's name counts",
        arguments: [true, false])
    func failedRewrite(isFull: Bool) async throws {
        for number in 0..<10 { try await storage().write(value(number), to: "key") }
        let system = FileSystem(
            durability: .power,
            before: { [folder] call, path in
                guard call == "fsync", path.hasSuffix(isFull ? ".tmp" : folder.url.lastPathComponent) else { return }
                throw Relux.StorageError.system(call: call, path: path, code: ENOSPC)
            })
        let storage = Relux.LogStorage(file: path, files: system, smallestRewrite: 1)

        let isWritten = (try? await storage.write(value(10), to: "key")) != nil

        #expect(isWritten == isFull)
        #expect(try await self.storage().read("key") == value(10))
    }

    @Test("damage at any byte costs at most the record that it hits, is kept aside before a write, and is never silent")
    func damage() async throws {
        let keys = ["a", "b", "c"]
        for key in keys { try await storage().write(Data("value of \(key)"), to: key) }
        let whole = try Data(contentsOf: path)

        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 0x10
            try damaged.write(to: path)
            let storage = storage()
            var lost: [String] = []
            for key in keys {
                let data = try? await storage.read(key)
                if data != Data("value of \(key)") {
                    #expect(data == nil)
                    lost.append(key)
                }
            }
            #expect(lost.count <= 1, "\(index)")

            try await storage.write(Data("new"), to: "d")
            let aside = folder.names.filter { $0.contains(".aside-") }
            #expect(aside.count == 1, "\(index)")
            #expect(try Data(contentsOf: folder.url.appending(path: aside.first ?? "")) == damaged)
            let after = self.storage()
            for key in keys where !lost.contains(key) {
                #expect(try await after.read(key) == Data("value of \(key)"), "\(index)")
            }
            #expect(try await after.read("d") == Data("new"))
            for name in aside { try FileManager.default.removeItem(at: folder.url.appending(path: name)) }
        }
    }

    /// Writes the keys `a` and `b`, and changes the data of `a` in the file.
    ///
    /// - Returns: The contents of the file.
    @discardableResult
    private func damageOneKey() async throws -> Data {
        try await storage().write(Data("first data"), to: "a")
        try await storage().write(Data("other data"), to: "b")
        var bytes = try Data(contentsOf: path)
        let place = try #require(bytes.range(of: Data("first data")))
        bytes[place.lowerBound] = UInt8(ascii: "x")
        try bytes.write(to: path)
        return bytes
    }

    @Test("a key whose data are known to be damaged stays damaged, until it is set aside")
    func damagedKey() async throws {
        try await damageOneKey()

        await #expect(throws: Relux.StorageError.self) { try await storage().read("a") }
        try await storage().write(Data("new"), to: "b")
        await #expect(throws: Relux.StorageError.self) { try await storage().read("a") }
        let last = storage()
        try await last.setAside("a")
        #expect(try await last.read("a") == nil)
        try await last.write(Data("again"), to: "a")

        #expect(try await self.storage().read("a") == Data("again"))
        #expect(try await self.storage().read("b") == Data("new"))
    }

    @Test("a damaged log is kept once, even if a key is set aside while it is damaged")
    func damagedLogIsKeptOnce() async throws {
        let bytes = try await damageOneKey()

        try await storage().setAside("a")

        #expect(folder.names == ["log", "log.aside-1"])
        #expect(try Data(contentsOf: path.appendingPathExtension("aside-1")) == bytes)
        #expect(try await storage().read("a") == nil)
        #expect(try await storage().read("b") == Data("other data"))
    }

    @Test("an empty file and another one are damaged, and never written to", arguments: ["", "something else"])
    func foreign(text: String) async throws {
        try Data(text).write(to: path)
        let storage = storage()

        await #expect(throws: Relux.StorageError.self) { try await storage.read("key") }
        await #expect(throws: Relux.StorageError.self) { try await storage.write(value(0), to: "key") }
        #expect(try Data(contentsOf: path) == Data(text))
        try await storage.setAside("key")
        try await storage.write(value(0), to: "key")

        #expect(try await storage.read("key") == value(0))
        #expect(try Data(contentsOf: path.appendingPathExtension("aside-1")) == Data(text))
    }

    @Test(
        "what others write before a call gets a lock isn't moved away with the damage that was there before",
        arguments: [false, true], 1...3)
    func replacedDamage(setsAside: Bool, lock: Int) async throws {
        try await storage().write(value(1), to: "other")
        let whole = try Data(contentsOf: path)
        try Data("something else").write(to: path)
        let locks = Box(0)
        let system = FileSystem(
            durability: .kill,
            before: { [path] call, _ in
                guard call == "flock" else { return }
                locks.value += 1
                if locks.value == lock { try whole.write(to: path) }
            })
        let storage = Relux.LogStorage(file: path, files: system, smallestRewrite: 1 << 16)

        if setsAside { try await storage.setAside("key") } else { try await storage.remove("key") }

        #expect(try await self.storage().read("other") == (locks.value < lock ? nil : value(1)))
    }

    @Test("what is damaged is named with the file")
    func namedDamage() async throws {
        try Data("something else").write(to: path)

        let error = await #expect(throws: Relux.StorageError.self) { try await storage().read("key") }

        #expect(error?.description == "the data of “key” are damaged: “\(path.path())” is another file")
    }

    @Test("storages of the same file are equal")
    func equality() {
        let same = Relux.LogStorage(file: folder.url.appending(path: "x/../log"))

        #expect(storage() == same && storage().hashValue == same.hashValue)
        #expect(storage() != Relux.LogStorage(file: folder.url.appending(path: "other")))
    }

    @Test("a storage sees what another one has appended and rewritten")
    func others() async throws {
        let (first, second) = (storage(rewriting: 500), storage(rewriting: 500))

        for number in 0..<200 {
            let (writer, reader) = number.isMultiple(of: 2) ? (first, second) : (second, first)
            try await writer.write(value(number), to: "key")
            #expect(try await reader.read("key") == value(number))
        }
    }
}
