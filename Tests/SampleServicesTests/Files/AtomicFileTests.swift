import Foundation
import Testing

@testable import SampleServices

@Suite struct AtomicFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func replace(with text: String, system: FileSystem = .live) throws(SystemError) -> FileStamp {
        let file = AtomicFile(path: folder.path(of: "file"), limit: 20, system: system)
        // A version consists of any number of pieces.
        let pieces = [Array(text.utf8.prefix(2)), [], Array(text.utf8.dropFirst(2))]
        return try file.replace(with: pieces, permissions: 0o600)
    }

    @Test func `it writes the new version and nothing else`() throws {
        try folder.write("old", to: "file")

        let stamp = try replace(with: "new")

        #expect(try folder.read("file") == "new")
        #expect(try folder.names == ["file"])
        #expect(stamp.permissions == 0o600)
        #expect(try FileStamp(path: folder.path(of: "file")) == stamp)
    }

    @Test(arguments: [false, true])
    func `a write that is cut into pieces writes everything`(isOneByte: Bool) throws {
        var system = FileSystem.live
        system.write = { (descriptor, bytes) throws(SystemError) in
            try FileSystem.live.write(descriptor, bytes.prefix(isOneByte ? 1 : 3))
        }

        _ = try replace(with: "A longer text", system: system)

        #expect(try folder.read("file") == "A longer text")
    }

    @Test func `a disk that fills up in the middle leaves the old version alone`() throws {
        try folder.write("old", to: "file")
        let written = Lock(0)
        var system = FileSystem.live
        system.write = { (descriptor, bytes) throws(SystemError) in
            if written.withLock({ $0 }) >= 2 { throw SystemError(code: ENOSPC) }
            written.withLock { $0 += 1 }
            return try FileSystem.live.write(descriptor, bytes.prefix(1))
        }

        #expect(throws: SystemError(code: ENOSPC)) { try replace(with: "new version", system: system) }

        #expect(written.withLock { $0 } == 2)
        #expect(try folder.read("file") == "old")
        #expect(try folder.names == ["file"])
    }

    @Test func `a new version beyond the limit leaves the old version alone`() throws {
        try folder.write("old", to: "file")

        _ = try replace(with: String(repeating: "x", count: 20))
        #expect(throws: SystemError.tooLarge) { try replace(with: String(repeating: "y", count: 21)) }

        #expect(try folder.read("file") == String(repeating: "x", count: 20))
        #expect(try folder.names == ["file"])
    }

    @Test func `a new version that doesn't reach the disk isn't put in place`() throws {
        try folder.write("old", to: "file")
        var system = FileSystem.live
        system.synchronize = { (_) throws(SystemError) in throw SystemError(code: EIO) }

        #expect(throws: SystemError(code: EIO)) { try replace(with: "new", system: system) }

        #expect(try folder.read("file") == "old")
        #expect(try folder.names == ["file"])
    }

    @Test func `a rename that fails leaves the old version alone`() throws {
        try folder.write("old", to: "file")
        var system = FileSystem.live
        system.replace = { (_, _) throws(SystemError) in throw SystemError(code: EACCES) }

        #expect(throws: SystemError(code: EACCES)) { try replace(with: "new", system: system) }

        #expect(try folder.read("file") == "old")
        #expect(try folder.names == ["file"])
    }

    @Test func `the steps are in an order that makes a crash harmless`() throws {
        let steps = Lock<[String]>([])
        let live = FileSystem.live
        let system = FileSystem(
            create: { (path, mode) throws(SystemError) in
                steps.withLock { $0.append("create") }
                return try live.create(path, mode)
            },
            write: { (descriptor, bytes) throws(SystemError) in
                steps.withLock { $0.append("write") }
                return try live.write(descriptor, bytes)
            },
            synchronize: { (descriptor) throws(SystemError) in
                let isFile = try FileStamp(of: descriptor).isFile
                steps.withLock { $0.append(isFile ? "synchronize file" : "synchronize folder") }
                try live.synchronize(descriptor)
            },
            replace: { (path, target) throws(SystemError) in
                steps.withLock { $0.append("replace") }
                try live.replace(path, target)
            }
        )

        _ = try replace(with: "new", system: system)

        let expected = ["create", "write", "write", "synchronize file", "replace", "synchronize folder"]
        #expect(steps.withLock { $0 } == expected)
    }

    @Test func `what a dead writer left behind is removed, and nothing else`() throws {
        try folder.write("half", to: ".file.1234.tmp")
        try folder.write("mine", to: ".file.notes")
        try folder.write("another", to: ".other.1234.tmp")

        _ = try replace(with: "new")

        #expect(try folder.names == [".file.notes", ".other.1234.tmp", "file"])
    }
}
