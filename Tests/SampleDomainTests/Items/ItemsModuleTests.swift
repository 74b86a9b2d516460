import Relux
import SampleServices
import Testing

@testable import SampleDomain

@Suite(.timeLimit(.minutes(10))) struct ItemsModuleTests {
    private let full = StorageError(.diskFull, file: "f")

    private func store(_ service: any ItemsService, watches: Bool = false) async throws -> Relux.Store {
        try await Relux.Store {
            Items.Module(service: service, source: .counting(), watchesElsewhere: watches)
        }
    }

    private func error(of result: Result<Items.Outcome, Relux.EffectError>) throws -> ItemsError {
        guard case .failure(.failed(let error)) = result else { throw try #require(nil as ItemsError?) }
        return try #require(error as? ItemsError)
    }

    private func perform(_ command: Items.Command, on store: Relux.Store) async -> Result<
        Items.Outcome, Relux.EffectError
    > {
        do throws(Relux.EffectError) {
            return .success(try await store.perform(command))
        } catch {
            return .failure(error)
        }
    }

    @Test func `a command reads the list first, changes it, and has it saved`() async throws {
        let service = InMemoryItemsService([.sample(1)])
        let store = try await store(service)

        let outcome = try await store.perform(Items.Command.add(title: "New", .end))
        try await store.idle()

        let item = Item(id: .sample(100), title: "New", order: 2_000, created: noon, updated: noon)
        #expect(outcome == .added(item))
        #expect(await service.saves == [[.insert(item)]])
        let state = try await store.state(of: Items.State.self)
        #expect(state.list.all == [.sample(1), item])
        #expect(!state.hasUnsavedChanges && state.saving == .idle && state.loading == .idle)
    }

    @Test func `a list that has been read isn't read again by every command`() async throws {
        let loads = Lock(0)
        let service = InMemoryItemsService(beforeLoad: { () throws(StorageError) in loads.withLock { $0 += 1 } })
        let store = try await store(service)

        try await store.perform(Items.Effect.load)
        try await store.perform(Items.Command.add(title: "A", .end))
        try await store.perform(Items.Command.add(title: "B", .end))

        #expect(loads.withLock { $0 } == 1)
    }

    @Test func `a rejected command throws its typed error, and nothing is saved`() async throws {
        let done = Item.sample(1, completed: 5)
        let service = InMemoryItemsService([done])
        let store = try await store(service)

        let result = await perform(.move(.id(done.id), position: 1), on: store)
        try await store.idle()

        #expect(try error(of: result) == .completed(done))
        #expect(await service.saves.isEmpty)
    }

    @Test func `no command is decided on a list that can't be read`() async throws {
        let broken = StorageError(.invalidUTF8, file: "f", line: 3)
        let service = InMemoryItemsService(beforeLoad: { () throws(StorageError) in throw broken })
        let store = try await store(service)

        let result = await perform(.add(title: "New", .end), on: store)
        try await store.idle()

        #expect(try error(of: result) == .notLoaded(broken))
        #expect(await service.saves.isEmpty)
        let state = try await store.state(of: Items.State.self)
        #expect(state.loading == .failed(broken))
        #expect(state.list.count == 0)
    }

    @Test func `a failed save keeps the change, and a retry saves it`() async throws {
        let failures = Lock(1)
        let full = full
        let service = InMemoryItemsService(beforeSave: { (_) throws(StorageError) in
            let fails = failures.withLock { failures in
                failures -= 1
                return failures >= 0
            }
            if fails { throw full }
        })
        let store = try await store(service)

        try await store.perform(Items.Command.add(title: "New", .end))
        try await store.idle()
        let failed = try await store.state(of: Items.State.self)
        try await store.perform(Items.Effect.save)
        let saved = try await store.state(of: Items.State.self)

        #expect(failed.saving == .failed(full))
        #expect(failed.list.titles == ["New"] && failed.isUnsaved(.sample(100)))
        #expect(await service.snapshot.items == failed.list.all)
        #expect(saved.list == failed.list)
        #expect(saved.saving == .idle && !saved.hasUnsavedChanges)
    }

    @Test func `what changes during a save is saved after it, by the same run`() async throws {
        let gate = Gate()
        let service = InMemoryItemsService(beforeSave: { (_) throws(StorageError) in await gate.pass() })
        let store = try await store(service)

        try await store.perform(Items.Command.add(title: "A", .end))
        await gate.arrivals()
        try await store.perform(Items.Command.rename("00000000000000000000000000000064", title: "B"))
        try await store.perform(Items.Command.add(title: "C", .top))
        let during = try await store.state(of: Items.State.self)
        gate.open()
        try await store.idle()

        #expect(during.saving == .running && during.list.titles == ["C", "B"])
        #expect(await service.saves.count == 2)
        #expect(await Set(service.snapshot.items.map(\.title)) == ["B", "C"])
        #expect(try await !store.state(of: Items.State.self).hasUnsavedChanges)
    }

    @Test func `concurrent commands are carried out one after the other`() async throws {
        let service = InMemoryItemsService()
        let store = try await store(service)

        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask { _ = try await store.perform(Items.Command.add(title: "\(number)", .end)) }
            }
            try await group.waitForAll()
        }
        try await store.idle()

        let orders = try await store.state(of: Items.State.self).list.orders
        #expect(orders == (1...50).map { $0 * 1_000 })
        #expect(await service.snapshot.items.map(\.order).sorted() == orders)
    }

    @Test func `a draft is saved when it is committed, and not before`() async throws {
        let service = InMemoryItemsService()
        let store = try await store(service)

        try await store.perform(Items.Command.startDraft(.end))
        await store.dispatch(Items.State.Action.draftEdited("Title"))
        try await store.idle()
        let before = await service.saves
        let outcome = try await store.perform(Items.Command.commitDraft)
        try await store.idle()

        #expect(before.isEmpty)
        guard case .added(let item) = outcome else { throw try #require(nil as ItemsError?) }
        #expect(await service.snapshot.items == [item])
    }

    @Test func `changes made elsewhere are shown, below unsaved ones`() async throws {
        let service = InMemoryItemsService(
            [.sample(1)], beforeSave: { [full] (_) throws(StorageError) in throw full }
        )
        let store = try await store(service, watches: true)
        try await store.perform(Items.Command.rename(.id(.sample(1)), title: "Mine"))

        await service.changeElsewhere([.insert(.sample(2)), .update(from: .sample(1), to: .sample(1, order: 7_000))])
        var states = store.values(of: Items.State.self).makeAsyncIterator()
        var state = await states.next()
        while let seen = state, seen.list.count < 2 { state = await states.next() }

        #expect(state?.list.titles == ["Item 2", "Mine"])
        #expect(state?.isUnsaved(.sample(1)) == true)
    }

    @Test func `a failure to follow changes made elsewhere is shown`() async throws {
        let broken = StorageError(.invalidUTF8, file: "f", line: 3)
        let service = BrokenElsewhereService(error: broken)
        let store = try await store(service, watches: true)

        var failures = store.values(of: Items.State.self) { $0.elsewhereFailure }.makeAsyncIterator()
        var failure = await failures.next()
        while let seen = failure, seen == nil { failure = await failures.next() }

        #expect(failure == broken)
    }

    @Test func `a cancelled read isn't left running`() async throws {
        let gate = Gate()
        let service = InMemoryItemsService(beforeLoad: { () throws(StorageError) in await gate.pass() })
        let store = try await store(service)
        let reading = Task { try await store.perform(Items.Effect.load) }
        await gate.arrivals()
        let during = try await store.state(of: Items.State.self).loading

        await store.cancel(Items.Sync.self, id: Items.Effect.load)
        let after = try await store.state(of: Items.State.self)
        gate.open()
        let result = await reading.result

        #expect(during == .running)
        #expect(after == Items.State())
        #expect(throws: Relux.EffectError.self) { try result.get() }
        #expect(try await !store.state(of: Items.State.self).isLoaded)
    }

    @Test func `a cancelled save leaves its change unsaved, for the next one`() async throws {
        let gate = Gate()
        let service = InMemoryItemsService(beforeSave: { (_) throws(StorageError) in await gate.pass() })
        let store = try await store(service)
        try await store.perform(Items.Command.add(title: "New", .end))
        await gate.arrivals()

        await store.cancel(Items.Sync.self, id: Items.Effect.save)
        let cancelled = try await store.state(of: Items.State.self)
        gate.open()
        try await store.idle()
        try await store.perform(Items.Effect.save)

        #expect(cancelled.saving == .idle && cancelled.isUnsaved(.sample(100)))
        #expect(try await !store.state(of: Items.State.self).hasUnsavedChanges)
        #expect(await service.snapshot.items.map(\.title) == ["New"])
    }
}

/// A service that can't follow changes made elsewhere.
private struct BrokenElsewhereService: ItemsService {
    let error: StorageError

    func load() async throws(StorageError) -> ItemsSnapshot { ItemsSnapshot(items: [], revision: 1) }

    func save(_ changes: [ItemChange]) async throws(StorageError) -> ItemsSnapshot { throw error }

    func changesElsewhere() async -> AsyncStream<Result<ItemsSnapshot, StorageError>> {
        AsyncStream { continuation in
            continuation.yield(.failure(error))
            continuation.finish()
        }
    }
}
