import Foundation
import SampleServices
import Testing

@testable import SampleServices

@Suite(.timeLimit(.minutes(10))) struct FileItemsServiceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A service that waits for others, however slow the disk is.
    private func service() -> FileItemsService {
        FileItemsService(folder: folder.path, lockLimit: .seconds(3_600))
    }

    @Test func `a list that was never saved is empty, and reading it creates nothing`() async throws {
        let service = FileItemsService(folder: folder.path(of: "not/there"))

        let snapshot = try await service.load()

        #expect(snapshot.items.isEmpty)
        #expect(try folder.names.isEmpty)
    }

    @Test func `the first save creates the folder, for its owner only`() async throws {
        let path = folder.path(of: "not/there")

        let saved = try await FileItemsService(folder: path).save([.insert(.sample(1))])

        #expect(try await FileItemsService(folder: path).load().items == saved.items)
        #expect(try FileStamp(path: path)?.permissions == 0o700)
        #expect(try FileStamp(path: "\(path)/items.jsonl")?.permissions == 0o600)
    }

    @Test func `the file is text, one item per line below its header`() async throws {
        _ = try await service().save([.insert(.sample(1, completed: .sample(2))), .insert(.sample(2))])

        let text = try folder.read()

        #expect(
            text == """
                {"format":"relux-items","version":1,"count":2}
                {"id":"00000000-0000-0000-0000-000000000001","title":"Item 1","order":1000,\
                "created":"2023-11-14T22:13:21.000Z","updated":"2023-11-14T22:13:21.000Z",\
                "completed":"2023-11-14T22:13:22.000Z"}
                {"id":"00000000-0000-0000-0000-000000000002","title":"Item 2","order":2000,\
                "created":"2023-11-14T22:13:22.000Z","updated":"2023-11-14T22:13:22.000Z"}

                """
        )
    }

    @Test func `two services lose none of each other's changes`() async throws {
        let (mine, theirs) = (service(), service())
        let base = try await mine.save([.insert(.sample(1)), .insert(.sample(2))])
        _ = try await theirs.load()

        _ = try await theirs.save([.insert(.sample(3)), .update(from: .sample(1), to: .sample(1, order: 5))])
        let merged = try await mine.save([
            .delete(.sample(2)), .update(from: .sample(1), to: .sample(1, title: "Mine")),
        ])

        #expect(merged.items == [.sample(1, title: "Mine", order: 5), .sample(3)])
        #expect(merged.revision > base.revision)
        #expect(try await theirs.load().items == merged.items)
    }

    @Test func `many concurrent saves are all kept`() async throws {
        let services = (0..<4).map { _ in service() }

        try await withThrowingTaskGroup { group in
            for number in 1...40 {
                group.addTask { _ = try await services[number % 4].save([.insert(.sample(number))]) }
            }
            try await group.waitForAll()
        }

        let items = try await service().load().items
        #expect(Set(items.map(\.id)) == Set((1...40).map { UUID.sample($0) }))
        #expect(try folder.names == ["items.jsonl", "items.lock"])
    }

    @Test func `an unchanged file isn't read again, and has the same revision`() async throws {
        let service = service()
        let saved = try await service.save([.insert(.sample(1))])

        let first = try await service.load()
        _ = try await self.service().save([.insert(.sample(2))])
        let second = try await service.load()

        #expect(first == saved)
        #expect(second.revision > first.revision)
        #expect(second.titles == ["Item 1", "Item 2"])
    }

    @Test func `a file that was removed is an empty list`() async throws {
        let service = service()
        let saved = try await service.save([.insert(.sample(1))])

        try FileManager.default.removeItem(atPath: service.file)
        let snapshot = try await service.load()

        #expect(snapshot.items.isEmpty)
        #expect(snapshot.revision > saved.revision)
    }

    @Test func `a damaged file can't be loaded or saved over, and is unchanged`() async throws {
        let text = "{\"format\":\"relux-items\",\"version\":1}\nhalf a li"
        try folder.write(text)
        let service = service()
        let expected = StorageError(.damagedLine("it is not the JSON of an item"), file: service.file, line: 2)

        await #expect(throws: expected) { try await service.load() }
        await #expect(throws: expected) { try await service.save([.insert(.sample(1))]) }

        #expect(try folder.read() == text)
    }

    @Test func `damage done while the program runs stops the next save`() async throws {
        let service = service()
        _ = try await service.save([.insert(.sample(1))])

        try folder.write("{\"format\":\"relux-items\",\"version\":9}\n")

        await #expect(throws: StorageError(.foreignVersion(9, supported: 1), file: service.file, line: 1)) {
            try await service.save([.insert(.sample(2))])
        }
        #expect(try folder.read().contains("9"))
    }

    @Test func `a folder in place of the file is reported`() async throws {
        mkdir(folder.path(of: "items.jsonl"), 0o700)
        let service = service()
        let expected = StorageError(.notAFile, file: service.file)

        await #expect(throws: expected) { try await service.load() }
        await #expect(throws: expected) { try await service.save([.insert(.sample(1))]) }
    }

    @Test func `a pipe in place of the file is reported, without waiting for its other end`() async throws {
        mkfifo(folder.path(of: "items.jsonl"), 0o600)
        let service = service()

        await #expect(throws: StorageError(.notAFile, file: service.file)) { try await service.load() }
    }

    @Test func `a file in place of the folder is reported`() async throws {
        try folder.write("", to: "list")
        let service = FileItemsService(folder: folder.path(of: "list"))

        let loading = await #expect(throws: StorageError.self) { try await service.load() }
        let saving = await #expect(throws: StorageError.self) { try await service.save([.insert(.sample(1))]) }

        #expect(loading?.reason == .system(.read, code: ENOTDIR))
        #expect(saving?.reason == .system(.folder, code: ENOTDIR))
    }

    @Test(arguments: [
        (ENOSPC, StorageError.Reason.diskFull),
        (EDQUOT, .diskFull),
        (EACCES, .noPermission(.write)),
        (EROFS, .noPermission(.write)),
        (EIO, .system(.write, code: EIO)),
    ])
    func `a write that the system refuses is reported, and changes nothing`(
        code: Int32,
        reason: StorageError.Reason
    ) async throws {
        let before = try await service().save([.insert(.sample(1))])
        var system = FileSystem.live
        system.write = { (_, _) throws(SystemError) in throw SystemError(code: code) }
        let service = FileItemsService(
            folder: folder.path, lockLimit: .zero, clock: ContinuousClock(), system: system
        )

        await #expect(throws: StorageError(reason, file: service.file)) {
            try await service.save([.insert(.sample(2))])
        }

        #expect(try await service.load().items == before.items)
        #expect(try folder.names == ["items.jsonl", "items.lock"])
    }

    @Test func `a lock held elsewhere ends in a typed error, and loading still works`() async throws {
        let before = try await service().save([.insert(.sample(1))])
        let holder = try FileLock.ifFree(path: folder.path(of: "items.lock"))
        let service = FileItemsService(folder: folder.path, lockLimit: .seconds(1), clock: JumpingClock())

        let error = await #expect(throws: StorageError.self) { try await service.save([.insert(.sample(2))]) }

        guard case .locked = error?.reason else { throw try #require(error) }
        #expect(try await service.load().items == before.items)
        withExtendedLifetime(holder) {}
    }

    @Test func `a link to the file is followed and stays a link`() async throws {
        let other = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(of: "items.jsonl"), withDestinationPath: other.path(of: "list.jsonl")
        )
        try other.write("{\"format\":\"relux-items\",\"version\":1}\n", to: "list.jsonl")

        _ = try await service().save([.insert(.sample(1))])

        #expect(try other.read("list.jsonl").contains("Item 1"))
        #expect(try other.names == ["list.jsonl", "items.lock"].sorted())
        #expect(try folder.names == ["items.jsonl"])
    }

    @Test(arguments: ["missing.jsonl", "missing/list.jsonl", "items.jsonl"])
    func `a link to a missing file is neither an empty list nor replaced`(target: String) async throws {
        let link = folder.path(of: "items.jsonl")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)

        let loading = await #expect(throws: StorageError.self) { try await service().load() }
        let saving = await #expect(throws: StorageError.self) { try await service().save([.insert(.sample(1))]) }

        let isLoop = target == "items.jsonl"
        #expect(loading?.reason == (isLoop ? .system(.read, code: ELOOP) : .danglingLink))
        #expect(saving == loading)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        #expect(try folder.names == ["items.jsonl", "items.lock"])
    }

    @Test func `a huge file is rejected without being read`() async throws {
        let path = folder.path(of: "items.jsonl")
        try folder.write("", to: "items.jsonl")
        try #require(truncate(path, 1 << 30) == 0)

        let error = await #expect(throws: StorageError.self) { try await service().load() }

        #expect(error == StorageError(.tooLarge, file: path))
    }

    @Test func `a list that would be too large to be read again isn't written`() async throws {
        let service = FileItemsService(
            folder: folder.path, largestSize: 500, lockLimit: .seconds(3_600), clock: ContinuousClock(), system: .live)
        _ = try await service.save([.insert(.sample(1))])

        let error = await #expect(throws: StorageError.self) {
            try await service.save((2...9).map { .insert(.sample($0)) })
        }

        #expect(error?.reason == .tooLarge)
        #expect(try await service.load().items == [.sample(1)])
    }

    @Test func `the file keeps its permissions`() async throws {
        let service = service()
        _ = try await service.save([.insert(.sample(1))])
        chmod(service.file, 0o640)

        _ = try await service.save([.insert(.sample(2))])

        #expect(try FileStamp(path: service.file)?.permissions == 0o640)
    }
}
