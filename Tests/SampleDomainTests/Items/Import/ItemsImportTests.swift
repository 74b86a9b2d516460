import Foundation
import Relux
import SampleServices
import Testing

@testable import SampleDomain

/// Importing through a store: the effects on the list, the service, and the history.
@Suite(.timeLimit(.minutes(10))) struct ItemsImportTests {
    private let full = StorageError(.diskFull, file: "f")
    private let history = InMemoryItemsHistoryService()

    private func store(_ service: InMemoryItemsService) async throws -> Relux.Store {
        try await Relux.Store {
            Items.Module(service: service, history: history, source: .counting(), watchesElsewhere: false)
        }
    }

    private func titles(_ count: Int) -> [String] { (1...count).map { "Title \($0)" } }

    private func failure(of lines: InMemoryTextLines, on store: Relux.Store) async -> ItemsError? {
        do throws(Relux.EffectError) {
            _ = try await store.perform(Items.Import(of: lines))
            return nil
        } catch {
            guard case .failed(let reason) = error else { return nil }
            return reason as? ItemsError
        }
    }

    @Test func `batches of a thousand are saved, below the existing items, and undone at once`() async throws {
        let service = InMemoryItemsService([.sample(1), .sample(2, completed: 1)])
        let store = try await store(service)

        let progress = try await store.perform(Items.Import(of: InMemoryTextLines(titles(2_500) + [" "])))
        try await store.idle()
        let list = try await store.state(of: Items.State.self).list

        #expect(progress.saved == 2_500 && progress.blank == 1 && !progress.isRunning)
        #expect(list.titles == ["Item 1"] + titles(2_500) + ["Item 2"])
        #expect(await service.saves.map(\.count) == [1_000, 1_000, 500])
        #expect(await history.value.done.map(\.changes.count) == [2_500])
        try await store.perform(Items.Command.undo)
        try await store.idle()
        #expect(await Items.List(service.snapshot.items).titles == ["Item 1", "Item 2"])
    }

    /// Every save writes the whole list. Batches of a constant size made an import quadratic.
    @Test func `batches grow with the list`() async throws {
        let service = InMemoryItemsService()
        let store = try await store(service)

        try await store.perform(Items.Import(of: InMemoryTextLines(titles(10_000))))

        let sizes = await service.saves.map(\.count)
        #expect(sizes == [1_000, 1_000, 1_000, 1_000, 1_000, 1_250, 1_562, 1_953, 235])
    }

    @Test func `the progress is visible while it runs`() async throws {
        let gate = Gate()
        let service = InMemoryItemsService()
        let store = try await store(service)
        let lines = InMemoryTextLines(titles(1_500)) { (count) throws(StorageError) in
            if count > 0 { await gate.pass() }
        }
        let importing = Task { try await store.perform(Items.Import(of: lines)) }

        await gate.arrivals()
        let during = try #require(try await store.state(of: Items.State.self).importing)
        gate.open()
        _ = try await importing.value

        #expect(during.isRunning && during.saved == 1_000)
    }

    @Test func `a batch that can't be saved is removed from the list, and earlier ones are one step`() async throws {
        let service = InMemoryItemsService(
            [.sample(1)],
            beforeSave: { [full] (changes) throws(StorageError) in
                if changes.contains(where: { $0.id == .sample(1_100) }) { throw full }
            }
        )
        let store = try await store(service)

        let failure = await failure(of: InMemoryTextLines(titles(1_500)), on: store)
        try await store.idle()
        let state = try await store.state(of: Items.State.self)

        #expect(failure == .notSaved(full))
        #expect(state.importing?.saved == 1_000 && state.importing?.isRunning == false)
        #expect(state.list.titles == ["Item 1"] + titles(1_000))
        #expect(!state.hasUnsavedChanges && state.saving == .idle)
        #expect(await history.value.done.map(\.changes.count) == [1_000])
        try await store.perform(Items.Command.undo)
        try await store.idle()
        #expect(await service.snapshot.items.map(\.title) == ["Item 1"])
    }

    /// The step used to be recorded at the end. A program that was killed before left items that no undo removed, and
    /// the next undo reverted an earlier change.
    @Test func `whatever an import has saved can be undone, even if the program ends in the middle`() async throws {
        let gate = Gate()
        let lines = InMemoryTextLines(titles(1_500)) { (count) throws(StorageError) in
            if count > 0 { await gate.pass() }
        }
        let service = InMemoryItemsService([.sample(1)])
        let store = try await store(service)
        let importing = Task { try await store.perform(Items.Import(of: lines)) }
        await gate.arrivals()

        let other = try await self.store(service)
        try await other.perform(Items.Command.undo)
        try await other.idle()

        #expect(await service.snapshot.items.map(\.title) == ["Item 1"])
        gate.open()
        _ = try await importing.value
        #expect(await history.value.done.map(\.changes.count) == [1_500])
    }

    @Test func `an import whose step can't be recorded ends, and saves nothing that can't be undone`() async throws {
        let saves = Lock(0)
        let history = InMemoryItemsHistoryService { [full] (changes) throws(StorageError) in
            let isFull = saves.withLock { saves in
                if changes != nil { saves += 1 }
                return saves > 1
            }
            if isFull { throw full }
        }
        let service = InMemoryItemsService([.sample(1)])
        let store = try await Relux.Store { Items.Module(service: service, history: history, watchesElsewhere: false) }

        let failure = await failure(of: InMemoryTextLines(titles(1_500)), on: store)
        try await store.idle()

        #expect(failure == .notSaved(full))
        #expect(await service.snapshot.items.count == 1_001)
        #expect(await history.value.done.map(\.changes.count) == [1_000])
    }

    @Test func `everything before the damage in a text is imported`() async throws {
        let damage = StorageError(.invalidUTF8, file: "f", line: 8)
        let lines = InMemoryTextLines(titles(7)) { (count) throws(StorageError) in if count == 7 { throw damage } }
        let service = InMemoryItemsService()
        let store = try await store(service)

        let failure = await failure(of: lines, on: store)
        try await store.idle()

        #expect(failure == .notImported(damage))
        #expect(try await store.state(of: Items.State.self).importing?.saved == 7)
        #expect(await history.value.done.map(\.changes.count) == [7])
    }

    @Test func `an import cancelled while it waits for a line keeps what is saved, as one step`() async throws {
        let gate = Gate()
        let lines = InMemoryTextLines(titles(1_500)) { (count) throws(StorageError) in
            if count > 0 { await gate.pass() }
        }
        let service = InMemoryItemsService()
        let store = try await store(service)
        let importing = Task { try await store.perform(Items.Import(of: lines)) }
        await gate.arrivals()

        importing.cancel()
        // A call that enters the store now is ordered after the cancellation.
        await store.read { _ in }
        gate.open()
        let result = await importing.result
        try await store.idle()

        #expect(throws: Relux.EffectError.self) { try result.get() }
        #expect(await service.snapshot.items.count == 1_000)
        #expect(try await store.state(of: Items.State.self).importing?.saved == 1_000)
        #expect(try await store.state(of: Items.State.self).importing?.isRunning == false)
        #expect(await history.value.done.map(\.changes.count) == [1_000])
    }

    @Test func `an import cancelled while it saves counts what is saved in the end, once`() async throws {
        let gate = Gate()
        let service = InMemoryItemsService(beforeSave: { (_) throws(StorageError) in await gate.pass() })
        let store = try await store(service)
        let importing = Task { try await store.perform(Items.Import(of: InMemoryTextLines(titles(10)))) }
        await gate.arrivals()

        importing.cancel()
        await store.read { _ in }
        gate.open()
        _ = await importing.result
        try await store.idle()
        let state = try await store.state(of: Items.State.self)

        #expect(state.importing?.saved == 10 && !state.hasUnsavedChanges)
        #expect(await service.snapshot.items.map(\.title) == titles(10))
        #expect(await history.value.done.map(\.changes.count) == [10])
    }

    /// The running import used to be marked as ended, and became two steps.
    @Test func `an import cancelled while it waits for its turn ends no other`() async throws {
        let gate = Gate()
        let lines = InMemoryTextLines(titles(1_500)) { (count) throws(StorageError) in
            if count > 0 { await gate.pass() }
        }
        let store = try await store(InMemoryItemsService())
        let importing = Task { try await store.perform(Items.Import(of: lines)) }
        await gate.arrivals()
        let asked = store.actionStream(of: Items.Import.self)
        let waiting = Task { try await store.perform(Items.Import(of: InMemoryTextLines(["x"]))) }
        _ = await asked.first { _ in true }

        waiting.cancel()
        _ = await waiting.result
        let during = try await store.state(of: Items.State.self)
        gate.open()
        let progress = try await importing.value
        try await store.idle()

        #expect(during.importing?.isRunning == true && during.history.done.map(\.changes.count) == [1_000])
        #expect(progress.saved == 1_500)
        #expect(await history.value.done.map(\.changes.count) == [1_500])
    }

    @Test func `a late report about a finished import isn't attributed to the next one`() {
        let (first, second) = (UUID.sample(1), UUID.sample(2))
        let batch = [Items.Addition(id: .sample(3), title: "A")]
        var state = Items.State(loaded: []).after(.importBegan(first))
        state.reduce(Items.ImportStop(id: first))

        let next = state.after(.importBegan(second), .imported(batch, blank: 0, at: noon))

        #expect(next.after(.importSaved(first)) == next)
        #expect(next.after(.importSaved(second)).importing?.saved == 1)
    }

    @Test func `commands continue beside it, and have steps of their own`() async throws {
        let gate = Gate()
        let lines = InMemoryTextLines(titles(1_500)) { (count) throws(StorageError) in
            if count > 0 { await gate.pass() }
        }
        let service = InMemoryItemsService([.sample(1)])
        let store = try await store(service)
        let importing = Task { try await store.perform(Items.Import(of: lines)) }
        await gate.arrivals()

        try await store.perform(Items.Command.complete([.id(.sample(1))]))
        gate.open()
        _ = try await importing.value
        try await store.perform(Items.Command.undo)
        let afterOne = try await store.state(of: Items.State.self).list
        try await store.perform(Items.Command.undo)
        try await store.idle()

        #expect(afterOne.completed.map(\.title) == ["Item 1"] && afterOne.active.isEmpty)
        #expect(await service.snapshot.items.map { $0.isActive } == [true])
    }

    @Test func `a list that can't be read can't be imported into`() async throws {
        let service = InMemoryItemsService(beforeLoad: { [full] () throws(StorageError) in throw full })
        let store = try await store(service)

        #expect(await failure(of: InMemoryTextLines(titles(3)), on: store) == .notLoaded(full))
        #expect(await service.saves.isEmpty)
        #expect(try await store.state(of: Items.State.self).importing == nil)
    }
}
