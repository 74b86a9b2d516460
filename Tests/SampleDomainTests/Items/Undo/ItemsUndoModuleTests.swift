import Relux
import SampleServices
import Testing

@testable import SampleDomain

/// Undo and redo through a store: reading and saving the history, and several programs on one list.
@Suite(.timeLimit(.minutes(10))) struct ItemsUndoModuleTests {
    private let full = StorageError(.diskFull, file: "f")

    private func store(
        _ service: InMemoryItemsService,
        _ history: InMemoryItemsHistoryService?,
        from first: Int = 100
    ) async throws -> Relux.Store {
        try await Relux.Store {
            Items.Module(service: service, history: history, source: .counting(from: first), watchesElsewhere: false)
        }
    }

    private func titles(_ service: InMemoryItemsService) async -> [String] {
        await Items.List(service.snapshot.items).titles
    }

    /// Performs a command on a store of its own, as the command line does.
    @discardableResult
    private func run(
        _ command: Items.Command,
        on service: InMemoryItemsService,
        _ history: InMemoryItemsHistoryService,
        from first: Int = 100
    ) async throws -> Items.Outcome {
        let store = try await store(service, history, from: first)
        let outcome = try await store.perform(command)
        try await store.idle()
        return outcome
    }

    private func refusal(_ command: Items.Command, on store: Relux.Store) async -> ItemsError? {
        do throws(Relux.EffectError) {
            _ = try await store.perform(command)
            return nil
        } catch {
            guard case .failed(let reason) = error else { return nil }
            return reason as? ItemsError
        }
    }

    @Test func `a later store undoes and redoes the changes of earlier ones`() async throws {
        let (service, history) = (InMemoryItemsService([.sample(1)]), InMemoryItemsHistoryService())
        try await run(.rename(.id(.sample(1)), title: "A"), on: service, history)
        try await run(.add(title: "B", .end), on: service, history, from: 200)

        let outcome = try await run(.undo, on: service, history)
        let afterOne = await titles(service)
        try await run(.undo, on: service, history)
        let afterTwo = await titles(service)
        try await run(.redo, on: service, history)

        guard case .undone(let reversal) = outcome else { throw try #require(nil as ItemsError?) }
        #expect(reversal.removed.map(\.title) == ["B"] && reversal.items.count == 1 && reversal.overtaken == 0)
        #expect(afterOne == ["A"] && afterTwo == ["Item 1"])
        #expect(await titles(service) == ["A"])
        #expect(await history.value.done.count == 1)
        #expect(await history.value.undone.count == 1)
    }

    @Test func `without a service the history lasts as long as the store`() async throws {
        let service = InMemoryItemsService([.sample(1)])
        let store = try await store(service, nil)

        try await store.perform(Items.Command.delete([.id(.sample(1))]))
        let outcome = try await store.perform(Items.Command.undo)
        try await store.idle()

        guard case .undone(let reversal) = outcome else { throw try #require(nil as ItemsError?) }
        #expect(reversal.restored.map(\.title) == ["Item 1"])
        #expect(await titles(service) == ["Item 1"])
        let other = try await self.store(service, nil)
        #expect(await refusal(.undo, on: other) == .nothingToUndo)
    }

    @Test func `undo reverts my last change, and preserves what others have changed since`() async throws {
        let service = InMemoryItemsService([.sample(1), .sample(2)])
        let (mine, theirs) = (try await store(service, nil), try await store(service, nil, from: 200))
        try await mine.perform(Items.Command.rename(.id(.sample(1)), title: "Mine"))
        try await mine.idle()
        try await theirs.perform(Items.Command.rename(.id(.sample(2)), title: "Theirs"))
        try await theirs.perform(Items.Command.complete([.id(.sample(2))]))
        try await theirs.idle()

        try await mine.perform(Items.Command.undo)
        try await mine.idle()

        #expect(await titles(service) == ["Item 1", "Theirs"])
        #expect(try await mine.state(of: Items.State.self).list == Items.List(service.snapshot.items))
    }

    @Test func `a history that can't be read is set aside by the next change, which is recorded in a new one`()
        async throws
    {
        let broken = StorageError(.invalidUTF8, file: "h", line: 3)
        let former = ItemsStep(id: .sample(7), changes: [ItemsStep.Change(before: nil, after: .sample(1))])
        let calls = Lock(0)
        // Undo reads it, a change is to be recorded, and it is checked before it is set aside.
        let history = InMemoryItemsHistoryService(
            ItemsHistory(done: [former]),
            hook: { (_) throws(StorageError) in
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                if call <= 3 { throw broken }
            })
        let service = InMemoryItemsService([.sample(1)])
        let store = try await store(service, history)

        let refused = await refusal(.undo, on: store)
        try await store.perform(Items.Command.add(title: "New", .end))
        try await store.idle()
        let state = try await store.state(of: Items.State.self)

        #expect(refused == .noHistory(broken))
        #expect(await titles(service) == ["Item 1", "New"])
        #expect(state.formerHistory == Items.FormerHistory(file: "unreadable", cause: broken))
        #expect(state.historyFailure == nil && state.saving == .idle && !state.hasUnsavedChanges)
        #expect(await history.isSetAside)
        #expect(await history.value.done.map(\.changes.count) == [1])
        #expect(await history.value.done != [former])
    }

    /// The list used to be saved first. If its history then couldn't be saved, the next undo reverted an earlier
    /// change.
    @Test func `a change whose step can't be recorded isn't saved`() async throws {
        let full = full
        let history = InMemoryItemsHistoryService(hook: { (_) throws(StorageError) in throw full })
        let service = InMemoryItemsService([.sample(1)])
        let store = try await store(service, history)

        try await store.perform(Items.Command.add(title: "New", .end))
        try await store.idle()
        let state = try await store.state(of: Items.State.self)

        #expect(await titles(service) == ["Item 1"])
        #expect(state.saving == .failed(full) && state.hasUnsavedChanges && state.formerHistory == nil)
    }

    @Test func `what was undone is recorded after its list`() async throws {
        let isFull = Lock(false)
        let full = full
        let service = InMemoryItemsService(beforeSave: { (_) throws(StorageError) in
            if isFull.withLock({ $0 }) { throw full }
        })
        let history = InMemoryItemsHistoryService()
        try await run(.add(title: "New", .end), on: service, history)
        isFull.withLock { $0 = true }

        try await run(.undo, on: service, history)

        #expect(await titles(service) == ["New"])
        #expect(await history.value.done.count == 1)
    }

    @Test func `a step is saved before its list`() async throws {
        let isFull = Lock(true)
        let full = full
        let service = InMemoryItemsService(beforeSave: { (_) throws(StorageError) in
            if isFull.withLock({ $0 }) { throw full }
        })
        let history = InMemoryItemsHistoryService()
        let store = try await store(service, history)

        try await store.perform(Items.Command.add(title: "New", .end))
        try await store.idle()
        let before = await history.value
        isFull.withLock { $0 = false }
        try await store.perform(Items.Effect.save)
        try await store.idle()

        #expect(before.done.count == 1)
        #expect(await history.value == before)
    }

    @Test func `history that couldn't be saved is saved with the next step`() async throws {
        let failures = Lock(1)
        let full = full
        let history = InMemoryItemsHistoryService(hook: { (_) throws(StorageError) in
            let fails = failures.withLock { failures in
                failures -= 1
                return failures >= 0
            }
            if fails { throw full }
        })
        let store = try await store(InMemoryItemsService(), history)

        try await store.perform(Items.Command.add(title: "A", .end))
        try await store.idle()
        let failed = try await store.state(of: Items.State.self)
        try await store.perform(Items.Command.add(title: "B", .end))
        try await store.idle()

        #expect(failed.historyFailure == full && failed.canUndo)
        #expect(await history.value.done.count == 2)
        #expect(try await store.state(of: Items.State.self).historyFailure == nil)
    }

    @Test func `a committed draft and a title renamed to nothing are steps too`() async throws {
        let service = InMemoryItemsService([.sample(1)])
        let store = try await store(service, nil)

        try await store.perform(Items.Command.startDraft(.end))
        await store.dispatch(Items.State.Action.draftEdited("New"))
        try await store.perform(Items.Command.commitDraft)
        try await store.perform(Items.Command.rename(.id(.sample(1)), title: " "))
        let changed = try await store.state(of: Items.State.self).list.titles
        try await store.perform(Items.Command.undo)
        let once = try await store.state(of: Items.State.self).list.titles
        try await store.perform(Items.Command.undo)

        #expect(changed == ["New"] && once == ["Item 1", "New"])
        #expect(try await store.state(of: Items.State.self).list.titles == ["Item 1"])
        #expect(await refusal(.undo, on: store) == .nothingToUndo)
    }
}
