import Foundation
import SampleServices
import Testing

@testable import SampleServices

@Suite(.timeLimit(.minutes(10))) struct FileItemsServiceChangesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func service() -> FileItemsService {
        FileItemsService(folder: folder.path)
    }

    @Test func `it reports what others save, and not what it saves itself`() async throws {
        let service = service()
        _ = try await service.load()
        var changes = await service.changesElsewhere().makeAsyncIterator()

        let own = try await service.save([.insert(.sample(1))])
        _ = try await self.service().save([.insert(.sample(2))])
        let told = try #require(await changes.next()).get()

        #expect(told.titles == ["Item 1", "Item 2"])
        #expect(told.revision > own.revision)
    }

    private func access() -> StoredFile<ItemsDocument> {
        StoredFile(
            path: service().file, lock: "items.lock", lockLimit: .zero, clock: ContinuousClock(), system: .live)
    }

    /// The events of a folder arrive late and in bursts, so this checks the file directly, without any event.
    @Test func `what it has read or saved itself isn't reported, however often the file is checked`() throws {
        let (mine, theirs) = (access(), access())

        for number in 1...3 {
            try mine.merge([.insert(.sample(number))])
            #expect(try mine.readIfChangedElsewhere() == nil)
        }
        try theirs.merge([.insert(.sample(4))])
        let news = try mine.readIfChangedElsewhere()
        try theirs.merge([.delete(.sample(4))])
        let read = try mine.read()

        #expect(news?.document?.items.count == 4 && read.document?.items.count == 3)
        #expect(try mine.readIfChangedElsewhere() == nil)
    }

    @Test func `it reports what was saved between the load and the start of the sequence`() async throws {
        let service = service()
        _ = try await service.load()
        _ = try await self.service().save([.insert(.sample(1))])

        var changes = await service.changesElsewhere().makeAsyncIterator()

        #expect(try #require(await changes.next()).get().titles == ["Item 1"])
    }

    @Test func `it reports damage, and continues when the file is repaired`() async throws {
        let service = service()
        let good = try await service.save([.insert(.sample(1))])
        let text = try folder.read()
        var changes = await service.changesElsewhere().makeAsyncIterator()

        rename(try temporary("broken"), service.file)
        let first = await changes.next()
        rename(try temporary(text), service.file)
        let second = try #require(await changes.next()).get()

        #expect(
            first
                == .failure(
                    ItemsServiceError(
                        .damagedLine("it should be the header of a list of items"), file: service.file, line: 1
                    )
                )
        )
        #expect(second.items == good.items)
    }

    /// Every event of the folder used to report the damage again. If a second event was late, the reader mistook it for
    /// the result of the repair.
    @Test func `it reports damage once, however many events there are`() async throws {
        try folder.write("broken")
        let access = access()

        #expect(throws: ItemsServiceError.self) { try access.readIfChangedElsewhere() }
        #expect(try access.readIfChangedElsewhere() == nil)
        try folder.write("{\"format\":\"relux-items\",\"version\":1}\n")
        _ = try access.readIfChangedElsewhere()
        try folder.write("broken again")
        #expect(throws: ItemsServiceError.self) { try access.readIfChangedElsewhere() }
    }

    @Test func `a file that was damaged from the beginning is reported when it is repaired`() async throws {
        try folder.write("broken")
        let service = service()
        await #expect(throws: ItemsServiceError.self) { try await service.load() }
        var changes = await service.changesElsewhere().makeAsyncIterator()
        _ = await changes.next()

        rename(try temporary("{\"format\":\"relux-items\",\"version\":1}\n"), service.file)
        var told = await changes.next()
        while case .failure = told { told = await changes.next() }

        #expect(try told?.get().items.isEmpty == true)
    }

    @Test func `it ends when its task is cancelled`() async throws {
        let changes = await service().changesElsewhere()
        let reader = Task {
            for await _ in changes {}
            return true
        }

        reader.cancel()

        #expect(await reader.value)
    }

    @Test func `it reports that the folder is gone, and ends`() async throws {
        let service = service()
        _ = try await service.save([.insert(.sample(1))])
        let changes = await service.changesElsewhere()

        try FileManager.default.removeItem(atPath: folder.path)
        var told: [Result<ItemsSnapshot, ItemsServiceError>] = []
        for await change in changes { told.append(change) }

        guard case .failure(let error) = told.last else { throw try #require(nil as ItemsServiceError?) }
        #expect(error.reason == .folderVanished)
    }

    @Test func `a folder that can't be created is reported, and the sequence ends`() async throws {
        try folder.write("", to: "list")
        let service = FileItemsService(folder: folder.path(of: "list"))

        var changes = await service.changesElsewhere().makeAsyncIterator()
        let first = await changes.next()
        let second = await changes.next()

        guard case .failure(let error) = first else { throw try #require(nil as ItemsServiceError?) }
        #expect(error.file == folder.path(of: "list"))
        #expect(second == nil)
    }

    /// The path of a file with this text, ready to be moved into place.
    private func temporary(_ text: String) throws -> String {
        try folder.write(text, to: "elsewhere")
        return folder.path(of: "elsewhere")
    }
}

extension StoredFile<ItemsDocument> {
    /// Merges changes without the lock.
    fileprivate func merge(_ changes: [ItemChange]) throws(StorageError) {
        _ = try replace { document in
            var document = document ?? ItemsDocument()
            document.apply(changes)
            return .write(document)
        }
    }
}
