import Relux
import SampleServices
import Testing

@testable import SampleDomain

/// The tutorial: once, on a new list, and on request.
@Suite(.timeLimit(.minutes(10))) struct ItemsTeacherTests {
    private let tutorial = InMemoryTutorialService()

    private func store(
        _ service: any ItemsService,
        history: any ItemsHistoryService = InMemoryItemsHistoryService(),
        tutorial: (any TutorialService)? = nil
    ) async throws -> Relux.Store {
        let tutorial = tutorial ?? self.tutorial
        return try await Relux.Store {
            Items.Module(
                service: service, history: history, tutorial: tutorial, source: .counting(), watchesElsewhere: false)
        }
    }

    @Test func `a new list gets the items once, and never again`() async throws {
        let service = InMemoryItemsService()
        let store = try await store(service)

        let given = try await store.perform(Items.Tutorial.offer)
        let again = try await store.perform(Items.Tutorial.offer)
        try await store.perform(Items.Command.deleteAll)
        let afterwards = try await store.perform(Items.Tutorial.offer)
        try await store.idle()

        #expect(given == Items.Tutorial.items && given.count == 4)
        #expect(again == [] && afterwards == [])
        #expect(await service.snapshot.items.isEmpty)
        #expect(await tutorial.remembered == .given)
    }

    @Test func `on request they are a step to undo, which contains nothing else`() async throws {
        let (service, history) = (InMemoryItemsService(items: [.sample(1)]), InMemoryItemsHistoryService())
        let store = try await store(service, history: history)
        try await store.perform(Items.Command.add(title: "Own", .end))

        try await store.perform(Items.Tutorial.give)
        try await store.idle()
        let stored = await history.history.done.map(\.changes.count)
        try await store.perform(Items.Command.undo)

        #expect(stored == [1, 4])
        #expect(try await store.state(of: Items.State.self).list.titles == ["Item 1", "Own"])
    }

    @Test func `given automatically they aren't a step, so there is nothing to undo`() async throws {
        let store = try await store(InMemoryItemsService())

        try await store.perform(Items.Tutorial.offer)

        #expect(try await !store.state(of: Items.State.self).canUndo)
        #expect(try await store.state(of: Items.State.self).list.titles == Items.Tutorial.items.map(\.title))
    }

    @Test func `a list with items isn't new, and nothing is written for that`() async throws {
        let service = InMemoryItemsService(items: [.sample(1)])
        let store = try await store(service)

        #expect(try await store.perform(Items.Tutorial.offer) == [])
        #expect(await tutorial.remembered == .untouched)
        #expect(await service.saves.isEmpty)
    }

    @Test func `a list that once had items isn't new either`() async throws {
        let history = InMemoryItemsHistoryService(
            ItemsHistory(done: [ItemsStep(id: .sample(9), changes: [.init(before: .sample(1), after: nil)])]))
        let store = try await store(InMemoryItemsService(), history: history)

        #expect(try await store.perform(Items.Tutorial.offer) == [])
    }

    @Test func `after a reset they are given again, whatever is on the list, and none twice`() async throws {
        let service = InMemoryItemsService()
        let store = try await store(service)
        try await store.perform(Items.Tutorial.offer)
        try await store.perform(Items.Command.delete([.id(Items.Tutorial.items[1].id)]))

        try await store.perform(Items.Tutorial.reset)
        let given = try await store.perform(Items.Tutorial.offer)
        try await store.idle()

        #expect(given == [Items.Tutorial.items[1]])
        #expect(await Set(service.snapshot.items.map(\.id)) == Set(Items.Tutorial.items.map(\.id)))
        #expect(await service.snapshot.items.count == 4)
    }

    @Test func `a request for them is granted immediately`() async throws {
        let service = InMemoryItemsService(items: [.sample(1)])
        let tutorial = InMemoryTutorialService(.given)
        let store = try await store(service, tutorial: tutorial)

        #expect(try await store.perform(Items.Tutorial.give).count == 4)
        #expect(try await store.perform(Items.Tutorial.give).isEmpty)
    }

    @Test func `a failed save is reported, and they are given the next time`() async throws {
        let full = ItemsServiceError(.diskFull, file: "f")
        let isFull = Lock(true)
        let service = InMemoryItemsService(beforeSave: { (_) throws(ItemsServiceError) in
            if isFull.withLock({ $0 }) { throw full }
        })

        await #expect(throws: Relux.EffectError.self) {
            try await store(service).perform(Items.Tutorial.offer)
        }
        let before = await tutorial.remembered
        isFull.withLock { $0 = false }

        #expect(before == .untouched)
        #expect(try await store(service).perform(Items.Tutorial.offer).count == 4)
    }

    @Test func `a memory that can't be read is reported, and the list works without it`() async throws {
        let damaged = ProfileServiceError(.damaged("x"), file: "f")
        let broken = InMemoryTutorialService { () throws(ProfileServiceError) in throw damaged }
        let service = InMemoryItemsService()
        let store = try await store(service, tutorial: broken)

        do throws(Relux.EffectError) {
            try await store.perform(Items.Tutorial.offer)
            Issue.record("It should have failed.")
        } catch {
            guard case .failed(let reason) = error else { throw error }
            #expect(reason as? ProfileServiceError == damaged)
        }
        try await store.perform(Items.Command.add(title: "New", .end))
        try await store.idle()

        #expect(await service.snapshot.items.map(\.title) == ["New"])
    }

    @Test func `of two programs that look at one new list concurrently, only one gives them`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        var stores: [Relux.Store] = []
        for _ in 0..<4 {
            stores.append(
                try await store(
                    FileItemsService(folder: path), history: FileItemsHistoryService(folder: path),
                    tutorial: FileTutorialService(folder: path, lockLimit: .seconds(3_600))))
        }

        let given = try await withThrowingTaskGroup { group in
            for store in stores { group.addTask { try await store.perform(Items.Tutorial.offer).count } }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(given.sorted() == [0, 0, 0, 4])
        #expect(try await FileItemsService(folder: path).load().items.count == 4)
    }
}
