import SampleServices
import Testing

@Suite(.timeLimit(.minutes(10))) struct InMemoryServiceTests {
    @Test func `it merges changes and counts revisions`() async throws {
        let service = InMemoryItemsService([.sample(1), .sample(2)])
        let before = try await service.load()

        let after = try await service.save([
            .insert(.sample(3)), .delete(.sample(1)),
            .update(from: .sample(2), to: .sample(2, title: "Changed")), .delete(.sample(9)),
        ])

        #expect(after.titles == ["Changed", "Item 3"])
        #expect(after.revision > before.revision)
        #expect(try await service.load() == after)
    }

    @Test func `its hooks can make a load and a save fail, which then change nothing`() async throws {
        let error = StorageError(.diskFull, file: "memory")
        let service = InMemoryItemsService(
            beforeLoad: { () throws(StorageError) in throw error },
            beforeSave: { (_) throws(StorageError) in throw error }
        )

        await #expect(throws: error) { try await service.load() }
        await #expect(throws: error) { try await service.save([.insert(.sample(1))]) }

        #expect(await service.snapshot.items.isEmpty)
        #expect(await service.saves.isEmpty)
    }

    @Test func `it reports changes made elsewhere to every reader, and not its own`() async throws {
        let service = InMemoryItemsService()
        var first = await service.changesElsewhere().makeAsyncIterator()
        var second = await service.changesElsewhere().makeAsyncIterator()

        _ = try await service.save([.insert(.sample(1))])
        await service.changeElsewhere([.insert(.sample(2))])

        let expected = Result<_, StorageError>.success(await service.snapshot)
        #expect(await first.next() == expected)
        #expect(await second.next() == expected)
    }

    @Test func `it reports what was changed between the load and the start of the sequence`() async throws {
        let service = InMemoryItemsService()
        _ = try await service.load()
        await service.changeElsewhere([.insert(.sample(1))])

        var changes = await service.changesElsewhere().makeAsyncIterator()

        let told = await changes.next()
        #expect(told == .success(await service.snapshot))
    }

    @Test func `it passes on a failure elsewhere, and the sequence continues`() async {
        let error = StorageError(.invalidUTF8, file: "memory", line: 3)
        let service = InMemoryItemsService()
        var changes = await service.changesElsewhere().makeAsyncIterator()

        await service.failElsewhere(error)
        let first = await changes.next()
        await service.changeElsewhere([.insert(.sample(1))])
        let second = await changes.next()

        #expect(first == .failure(error))
        #expect(second == .success(await service.snapshot))
    }

    @Test func `its sequences end when it is released`() async {
        var service: InMemoryItemsService? = InMemoryItemsService()
        var changes = await service?.changesElsewhere().makeAsyncIterator()

        service = nil

        #expect(await changes?.next() == nil)
    }
}
