import Foundation
import ReluxTesting
import SampleServices
import Testing

@testable import SampleServices

@Suite(.timeLimit(.minutes(10))) struct FileItemsServiceChangesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func service() -> FileItemsService {
        FileItemsService(folder: folder.path, lockLimit: .seconds(3_600), clock: JumpingClock())
    }

    @Test func `it reports what others save, and not what it saves itself`() async throws {
        let service = service()
        _ = try await service.load()
        var changes = service.changesElsewhere().makeAsyncIterator()

        let own = try await service.save([.insert(.sample(1))])
        _ = try await self.service().save([.insert(.sample(2))])
        let told = try #require(await changes.next()).get()

        #expect(told.titles == ["Item 1", "Item 2"])
        #expect(told.revision > own.revision)
    }

    @Test func `it reports what was saved between the load and the start of the sequence`() async throws {
        let service = service()
        _ = try await service.load()
        _ = try await self.service().save([.insert(.sample(1))])

        var changes = service.changesElsewhere().makeAsyncIterator()

        #expect(try #require(await changes.next()).get().titles == ["Item 1"])
    }

    @Test func `it reports damage, and continues when the file is repaired`() async throws {
        let service = service()
        let good = try await service.save([.insert(.sample(1))])
        let text = try folder.read()
        var changes = service.changesElsewhere().makeAsyncIterator()

        rename(try temporary("broken"), service.file)
        let first = await changes.next()
        rename(try temporary(text), service.file)
        let second = try #require(await changes.next()).get()

        #expect(
            first
                == .failure(
                    StorageError(
                        .damagedLine("it should be the header of a list of items"), file: service.file, line: 1
                    )
                )
        )
        #expect(second.items == good.items)
    }

    @Test func `a file that was damaged from the beginning is reported when it is repaired`() async throws {
        try folder.write("broken")
        let service = service()
        await #expect(throws: StorageError.self) { try await service.load() }
        var changes = service.changesElsewhere().makeAsyncIterator()
        _ = await changes.next()

        rename(try temporary("{\"format\":\"relux-items\",\"version\":1}\n"), service.file)
        var told = await changes.next()
        while case .failure = told { told = await changes.next() }

        #expect(try told?.get().items.isEmpty == true)
    }

    @Test func `it ends when its task is cancelled`() async throws {
        let changes = service().changesElsewhere()
        let reader = Task {
            for await _ in changes {}
            return true
        }

        reader.cancel()

        #expect(await reader.value)
    }

    @Test func `a folder that is gone is not an empty list, and is followed when it is back`() async throws {
        let service = service()
        let saved = try await service.save([.insert(.sample(1))])
        var changes = service.changesElsewhere().makeAsyncIterator()
        let elsewhere = folder.path + "-elsewhere"

        rename(folder.path, elsewhere)
        let gone = await changes.next()
        let error = await #expect(throws: StorageError.self) { try await service.load() }
        rename(elsewhere, folder.path)
        let back = await changes.next()

        #expect(gone == .failure(StorageError(.folderVanished, file: folder.path)))
        #expect(error?.reason == .folderVanished)
        #expect(back == .success(saved))
    }

    @Test func `a folder that can't be read is reported once`() async throws {
        try folder.write("", to: "list")
        let service = FileItemsService(folder: folder.path(of: "list"), clock: JumpingClock())

        var changes = service.changesElsewhere().makeAsyncIterator()
        let first = await changes.next()
        try FileManager.default.removeItem(atPath: folder.path(of: "list"))
        let second = await changes.next()

        guard case .failure(let error) = first else { throw try #require(nil as StorageError?) }
        #expect(error.reason == .system(.read, code: ENOTDIR))
        #expect(try second?.get().items == [])
    }

    /// Only four looks a second are made, whatever the others do.
    @Test func `changes in quick succession are one change, and the last of them counts`() async throws {
        let clock = ManualClock()
        let service = FileItemsService(folder: folder.path, clock: clock)
        _ = try await service.load()
        let changes = service.changesElsewhere()
        let reader = Task { await changes.first { _ in true } }
        // The first look has found nothing.
        await clock.sleepers(atLeast: 1)

        for number in 1...3 { _ = try await self.service().save([.insert(.sample(number))]) }
        await clock.advance(by: .milliseconds(250))

        #expect(try await reader.cancellableValue?.get().items.count == 3)
    }

    /// The path of a file with this text, ready to be moved into place.
    private func temporary(_ text: String) throws -> String {
        try folder.write(text, to: "elsewhere")
        return folder.path(of: "elsewhere")
    }
}
