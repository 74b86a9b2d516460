import Foundation
import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// Two front ends on one service, which is slow and fails at random, in many orders.
@Suite("Items, two front ends on one service")
struct ItemsSimulationTests {
    @Test("Whatever two front ends do, nothing saved is lost, and both end with the same list")
    func convergence() async {
        let seen = Lock<Set<Occurrence>>([])

        await Simulation.explore(seeds: seeds(250)) { world in
            let shared = SharedList(world)
            let history = History()
            var stores: [Relux.Store] = []
            for seat in 0..<2 {
                let store = try await world.store {
                    Items.Module(service: Line(shared: shared, seat: seat), source: shared.source)
                    Seat.Module(number: seat)
                }
                stores.append(store)
            }
            world.always("no completed item above an active one", of: Items.State.self) { state in
                state.list.all.drop(while: \.isActive).allSatisfy(\.isCompleted)
            }
            world.always("active items in their order, completed ones with the latest first", of: Items.State.self) {
                $0.list == Items.List($0.list.all.reversed())
            }
            world.always("no draft on the list", of: Items.State.self) { state in
                state.draft.map { state.list[$0.id] == nil } ?? true
            }
            world.always("nothing vanishes, and nothing goes back to an older version") { states in
                guard let seat = states[Seat.self], let state = states[Items.State.self] else { return true }
                return history.goesOn(with: state.list, at: seat)
            }

            for store in stores {
                world.task("a user") { try await User(world: world, store: store, history: history).work() }
                world.task("an impatient user") { try await User(world: world, store: store, history: history).retry() }
            }
            await world.settled()
            shared.mend()
            for store in stores { try await store.perform(Items.Effect.save) }
            for store in stores { try await store.perform(Items.Effect.load) }

            let stored = await shared.service.snapshot.items
            for store in stores {
                let state = try await store.state(of: Items.State.self)
                #expect(!state.hasUnsavedChanges && state.saving == .idle && state.loading == .idle)
                #expect(state.list == Items.List(stored))
            }
            #expect(history.losses(in: stored, except: shared.doubtful) == [])
            seen.withLock { $0.formUnion(shared.occurrences.union(history.occurrences)) }
        }

        #expect(seen.withLock { $0 } == Set(Occurrence.allCases))
    }
}

/// Events that must occur in some of the orders. Otherwise the simulation would prove less than it claims.
private enum Occurrence: CaseIterable {
    case loadFailed, saveFailed, answerLost, newsArrived, refused, draftCommitted, deleted, completed, reopened, renamed
}

// MARK: - The service

/// The list that two front ends share, and their connections to it.
private final class SharedList: Sendable {
    let world: Simulation.World
    let service = InMemoryItemsService()

    private let contents = Lock(Contents())

    private struct Contents {
        var isMended = false
        var doubtful: Set<Item.ID> = []
        var lastID = 0
        var readers: [Int: AsyncStream<Result<ItemsSnapshot, StorageError>>.Continuation] = [:]
        var occurrences: Set<Occurrence> = []
    }

    init(_ world: Simulation.World) {
        self.world = world
    }

    var occurrences: Set<Occurrence> { contents.withLock { $0.occurrences } }

    /// The new items whose front end doesn't know that they are stored.
    var doubtful: Set<Item.ID> { contents.withLock { $0.doubtful } }

    /// Virtual time, and ids from one sequence for both front ends.
    var source: Items.Source {
        Items.Source(
            now: { [world] in noon.addingTimeInterval(world.clock.now.offset / .seconds(1)) },
            makeID: {
                .sample(
                    self.contents.withLock { contents in
                        contents.lastID += 1
                        return contents.lastID
                    })
            }
        )
    }

    /// From now on nothing fails.
    func mend() {
        contents.withLock { $0.isMended = true }
    }

    func note(_ occurrence: Occurrence) {
        _ = contents.withLock { $0.occurrences.insert(occurrence) }
    }

    func doubt(_ changes: [ItemChange]) {
        contents.withLock { contents in
            for case .insert(let item) in changes { contents.doubtful.insert(item.id) }
        }
    }

    /// One direction of a connection, which takes a random time and may fail on the way.
    func pass(or failure: Occurrence) async throws(StorageError) {
        do {
            try await world.latency(.zero ... .milliseconds(300))
        } catch {
            throw StorageError(.cancelled, file: "line")
        }
        if !contents.withLock({ $0.isMended }), world.fails(0.2) {
            note(failure)
            throw StorageError(.diskFull, file: "line")
        }
    }

    func addReader(at seat: Int) -> AsyncStream<Result<ItemsSnapshot, StorageError>> {
        let (stream, reader) = AsyncStream.makeStream(of: Result<ItemsSnapshot, StorageError>.self)
        contents.withLock { $0.readers[seat] = reader }
        return stream
    }

    /// Reports the stored list to the other front ends: late, in any order, and not always.
    func spread(_ snapshot: ItemsSnapshot, from seat: Int) {
        for (other, reader) in contents.withLock({ $0.readers }).sorted(by: { $0.key < $1.key }) where other != seat {
            world.task("news for seat \(other)") { [self] in
                try await world.latency(.zero ... .milliseconds(600))
                if world.fails(0.5) { return }
                reader.yield(.success(snapshot))
                note(.newsArrived)
            }
        }
    }
}

/// The service as one front end reaches it. An answer may be lost after the service has saved.
private struct Line: ItemsService {
    let shared: SharedList
    let seat: Int

    func load() async throws(StorageError) -> ItemsSnapshot {
        try await shared.pass(or: .loadFailed)
        let snapshot = try await shared.service.load()
        try await shared.pass(or: .loadFailed)
        return snapshot
    }

    func save(_ changes: [ItemChange]) async throws(StorageError) -> ItemsSnapshot {
        #expect(changes.compactMap(\.result).allSatisfy { !$0.title.isEmpty && !$0.title.hasSuffix(unfinished) })
        try await shared.pass(or: .saveFailed)
        let snapshot = try await shared.service.save(changes)
        shared.spread(snapshot, from: seat)
        do {
            try await shared.pass(or: .answerLost)
        } catch {
            shared.doubt(changes)
            throw error
        }
        return snapshot
    }

    func changesElsewhere() async -> AsyncStream<Result<ItemsSnapshot, StorageError>> {
        shared.addReader(at: seat)
    }
}

/// The ending of a draft's title that is still being written.
private let unfinished = "…"

extension ItemChange {
    /// The version to store, or nil.
    fileprivate var result: Item? {
        switch self {
        case .insert(let item), .update(_, let item): item
        case .delete: nil
        }
    }
}

// MARK: - The front ends

/// Distinguishes the stores.
private struct Seat: Relux.State, Hashable {
    enum Action: Relux.Action {}

    struct Module: Relux.Module {
        let number: Int

        var states: [any Relux.State] { [Seat(number: number)] }
    }

    let number: Int

    mutating func reduce(_ action: Action) {}
}

private struct User {
    let world: Simulation.World
    let store: Relux.Store
    let history: History

    /// Performs random operations.
    func work() async throws {
        for step in 0..<world.random(in: 3...8) {
            try await world.latency(.zero ... .milliseconds(400))
            let state = try await store.state(of: Items.State.self)
            if world.fails(0.3) {
                try await write(state.draft, step)
            } else {
                try await change(state.list, step)
            }
        }
    }

    /// Reads and saves again, whether necessary or not.
    func retry() async throws {
        for _ in 0..<world.random(in: 0...3) {
            try await world.latency(.zero ... .milliseconds(800))
            try await store.perform(world.fails(0.5) ? Items.Effect.load : .save)
        }
    }

    private func write(_ draft: Items.Draft?, _ step: Int) async throws {
        guard let draft else {
            try await perform(.startDraft(world.fails(0.5) ? .top : .end))
            await store.dispatch(Items.State.Action.draftEdited("Draft\(unfinished)"))
            return
        }
        switch world.random(in: 0...3) {
        case 0: await store.dispatch(Items.State.Action.draftEdited("\(draft.title)\(step)\(unfinished)"))
        case 1: await store.dispatch(Items.State.Action.draftDropped)
        default:
            await store.dispatch(Items.State.Action.draftEdited("Draft of step \(step)"))
            if case .added = try await perform(.commitDraft) { history.note(.draftCommitted) }
        }
    }

    private func change(_ list: Items.List, _ step: Int) async throws {
        guard let item = world.random(of: list.all), !world.fails(0.3) else {
            try await perform(.add(title: " Step \(step) ", world.fails(0.5) ? .top : .end))
            return
        }
        switch world.random(in: 0...9) {
        case 0, 1: if try await perform(.complete([.id(item.id)])) != nil { history.complete(item.id) }
        case 2, 3: if try await perform(.reopen([.id(item.id)])) != nil { history.reopen(item.id) }
        case 4, 5:
            let title = "\(item.title) \(step)"
            if try await perform(.rename(.id(item.id), title: title)) != nil { history.rename(item.id, title) }
        case 6, 7:
            try await perform(.move(.id(item.id), position: world.random(in: 1...max(list.active.count, 1))))
        case 8:
            history.delete(item.id)
            try await perform(.rename(.id(item.id), title: " "))
        default:
            history.delete(item.id)
            try await perform(.delete([.id(item.id)]))
        }
    }

    /// Carries out a command, unless the rules no longer allow it.
    @discardableResult
    private func perform(_ command: Items.Command) async throws -> Items.Outcome? {
        do throws(Relux.EffectError) {
            return try await store.perform(command)
        } catch {
            guard case .failed(let reason) = error, reason is ItemsError else { throw error }
            history.note(.refused)
            return nil
        }
    }
}

// MARK: - What the users have done

/// What the users have done and seen.
private final class History: Sendable {
    private struct Contents {
        var lists: [Seat: Items.List] = [:]
        /// The items as they were first seen.
        var originals: [Item.ID: Item] = [:]
        var titles: [Item.ID: [String]] = [:]
        var completed: Set<Item.ID> = []
        var reopened: Set<Item.ID> = []
        var deleted: Set<Item.ID> = []
        var occurrences: Set<Occurrence> = []
    }

    private let contents = Lock(Contents())

    var occurrences: Set<Occurrence> { contents.withLock { $0.occurrences } }

    func note(_ occurrence: Occurrence) {
        _ = contents.withLock { $0.occurrences.insert(occurrence) }
    }

    func complete(_ id: Item.ID) {
        note(.completed)
        _ = contents.withLock { $0.completed.insert(id) }
    }

    func reopen(_ id: Item.ID) {
        note(.reopened)
        _ = contents.withLock { $0.reopened.insert(id) }
    }

    func rename(_ id: Item.ID, _ title: String) {
        note(.renamed)
        contents.withLock { $0.titles[id, default: []].append(title) }
    }

    /// The deletion may fail. What is certain is that the item may be missing from now on.
    func delete(_ id: Item.ID) {
        note(.deleted)
        _ = contents.withLock { $0.deleted.insert(id) }
    }

    /// Whether a list shows everything that it showed before, in no older version, except for deleted items.
    func goesOn(with list: Items.List, at seat: Seat) -> Bool {
        contents.withLock { contents in
            let before = contents.lists.updateValue(list, forKey: seat) ?? Items.List()
            for item in list.all where contents.originals[item.id] == nil { contents.originals[item.id] = item }
            return before.all.allSatisfy { item in
                list[item.id].map { $0.updated >= item.updated } ?? contents.deleted.contains(item.id)
            }
        }
    }

    /// Changes that were made, not undone, and yet aren't stored.
    ///
    /// Doubtful items may be changed by both front ends before the one that created them knows that they are stored.
    /// For these, the version that was changed last is kept as a whole.
    func losses(in items: [Item], except doubtful: Set<Item.ID>) -> [String] {
        let stored = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0) })
        return contents.withLock { contents in
            // An edit restores a deleted item as the editor knew it, so earlier changes of the item don't count.
            contents.originals.values.filter { !contents.deleted.contains($0.id) }.flatMap { original -> [String] in
                guard let item = stored[original.id] else { return ["\(original.title) is gone"] }
                if doubtful.contains(item.id) { return [] }
                var losses: [String] = []
                if !(contents.titles[item.id] ?? [original.title]).contains(item.title) {
                    losses.append("\(item.title) is no title that it was given last")
                }
                if item.isActive, contents.completed.contains(item.id), !contents.reopened.contains(item.id) {
                    losses.append("\(item.title) was completed, and isn't")
                }
                if item.isCompleted, !contents.completed.contains(item.id) {
                    losses.append("\(item.title) was never completed, and is")
                }
                return losses
            }
        }
    }
}
