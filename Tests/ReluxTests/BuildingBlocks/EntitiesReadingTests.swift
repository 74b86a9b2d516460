import ReluxTesting
import TestFixtures
import Testing

@testable import Relux

/// Rows by their ids, and which of them is chosen.
struct Shelves: Relux.State {
    struct Row: Identifiable, Equatable, Sendable {
        let id: Int
        var title: String
    }

    enum Action: Relux.Action {
        case put(Int, String), remove(Int), reverse, replace([Row]), choose(Int)
    }

    var rows = Relux.Entities<Row>()
    var chosen = 0

    init(_ count: Int = 0) { rows = .init((0..<count).map { Row(id: $0, title: "\($0)") }, keeping: .first) }

    mutating func reduce(_ action: Action) {
        switch action {
        case .put(let id, let title): rows.upsert(Row(id: id, title: title))
        case .remove(let id): rows.remove(id: id)
        case .reverse: rows.sort { $0.id > $1.id }
        case .replace(let new): rows = .init(new, keeping: .last)
        case .choose(let id): chosen = id
        }
    }

    struct Module: Relux.Module {
        var count = 0
        var states: [any Relux.State] { [Shelves(count)] }
    }

    struct Room: Relux.Module, Identifiable {
        let id: Int
        var states: [any Relux.State] { [Shelves(10)] }
    }
}

extension Relux.StateReader {
    fileprivate func title(_ id: Int) -> String? { self[Shelves.self, \.rows, id: id]?.title }
}

@Suite("Reading an element by its id", .timeLimit(.minutes(10))) @MainActor
struct KeyedReadsTests {
    private typealias Action = Shelves.Action

    private let selections = Trace<Int>()

    /// Makes a view state of the title of each row, which notes its selections.
    private func titles(_ ids: some Sequence<Int>, in store: Relux.Store) throws -> [Relux.UI.ViewState<String?>] {
        try ids.map { id in
            try store.viewState { [selections] reader in
                selections.note(id)
                return reader.title(id)
            }
        }
    }

    @Test(
        "a change of one element makes its selections again, and none of a thousand others",
        arguments: [
            (7, "new", [.put(7, "new")]), (7, nil, [.remove(7)]), (-1, "new", [.put(-1, "new")]),
            (7, "second", [.put(7, "first"), .choose(3), .put(7, "second")]),
            // Followed by a reset.
            (7, "7", [.put(7, "gone again")]),
        ] as [(Int, String?, [Shelves.Action])])
    func flat(id: Int, title: String?, actions: [Shelves.Action]) async throws {
        let store = try await Relux.Store { Shelves.Module(count: 1_000) }
        let states = try titles(-1..<1_000, in: store)
        let before = selections.entries.count

        await store.dispatch(contentsOf: actions)
        if title == "7" { await store.reset() }
        let shown = await store.viewUpdates(states[id + 1])

        #expect(shown == title)
        #expect(before == 1_001)
        #expect(Set(selections.entries.dropFirst(before)) == [id])
        #expect(states.filter { $0.value == nil }.count == (title == nil ? 2 : id == -1 ? 0 : 1))
    }

    @Test("what concerns no element makes no selection again: a new order, equal elements, another part of the state")
    func unconcerned() async throws {
        let store = try await Relux.Store { Shelves.Module(count: 100) }
        let states = try titles([1], in: store)

        await store.dispatch(Action.reverse)
        await store.dispatch(Action.choose(1))
        await store.dispatch(Action.replace((0..<100).map { .init(id: $0, title: "\($0)") }))
        store.doNow(Action.put(2, "two"))

        #expect(selections.entries == [1])
        #expect(states.map(\.value) == ["1"])
    }

    @Test("a selection follows the elements that it reads now, also the same one twice")
    func changingKeys() async throws {
        let store = try await Relux.Store { Shelves.Module(count: 100) }
        let chosen = try store.viewState { reader in
            let id = reader.chosenRow
            return [reader.title(id), reader.title(id), reader.title(id + 1)]
        }

        store.doNow(Action.put(0, "zero"))
        let first = chosen.value
        store.doNow(Action.choose(50))
        let second = chosen.value
        store.doNow(Action.put(0, "nobody looks"))
        store.doNow(Action.put(51, "next"))

        #expect(first == ["zero", "zero", "1"])
        #expect(second == ["50", "50", "51"])
        #expect(chosen.value == ["50", "50", "next"])
    }

    @Test("an element that a selection reads twice is gone with its state")
    func readTwice() async throws {
        let store = try await Relux.Store { Shelves.Module(count: 2) }
        let follower = Follower(
            StateQuery<[String?]>.selection { reader in [reader.title(1), reader.title(1)] }, for: .outside)
        let first = await store.inside { core in Result { try follower.begin(in: core.readers) } }

        let isPresent = await store.inside { core in follower.isPresent(in: core.readers) }
        await store.unregister(Shelves.Module.self)
        let isStillPresent = await store.inside { core in follower.isPresent(in: core.readers) }

        #expect(try first.get() == ["1", "1"])
        #expect(isPresent)
        #expect(!isStillPresent)
    }

    @Test("selections are made again in the order in which their elements were first read")
    func order() async throws {
        let store = try await Relux.Store { Shelves.Module(count: 10) }
        let ids = [3, 7, 0, 9, 5, 1]
        let states = try titles(ids, in: store)

        store.doNow(contentsOf: (0..<10).map { Action.put($0, "new") } + [Action.reverse])

        #expect(selections.entries == ids + ids)
        #expect(states.allSatisfy { $0.value == "new" })
    }

    @Test("an id that isn't equal to itself finds nothing, and leaves nothing behind")
    func unequalID() async throws {
        let store = try await Relux.Store { Part<TagA>(states: [Measures()]) }
        var shown: Relux.UI.ViewState? = try store.viewState { reader in
            reader[Measures.self, \.rows, id: .nan] == nil && reader[Measures.self, \.rows, id: 1] != nil
        }
        let isFound = shown?.value == true

        shown = nil

        #expect(isFound)
        #expect(await store.waiterCount() == 0)
    }

    @Test("a state that appears, goes, or is shadowed by an inner one is noticed")
    func states() async throws {
        let store = try await Relux.Store { Log.Module() }
        let title = try store.viewState { reader in reader.title(1) ?? "none" }
        let missing = title.value

        try await store.register(Shelves.Module(count: 2))
        let present = await store.viewUpdates(title)
        await store.unregister(Shelves.Module.self)
        let gone = await store.viewUpdates(title)
        try await store.register(Shelves.Module(count: 5))
        await store.dispatch(Action.put(1, "again"))
        let again = await store.viewUpdates(title)

        #expect([missing, present, gone, again] == ["none", "1", "none", "again"])
    }

    private struct Measures: Relux.State {
        struct Row: Identifiable, Equatable, Sendable { let id: Double }

        typealias Action = Never

        var rows: Relux.Entities<Row> = [Row(id: 1)]
    }

    /// An element that tells when it is released.
    private struct Held: Relux.State {
        final class Object: Sendable {}

        struct Row: Identifiable, Equatable, Sendable {
            let id: Int
            let object = Object()
            static func == (lhs: Row, rhs: Row) -> Bool { lhs.id == rhs.id }
        }

        enum Action: Relux.Action { case fill, clear }

        var rows = Relux.Entities<Row>()

        mutating func reduce(_ action: Action) {
            switch action {
            case .fill: rows = .init((0..<3).map { Row(id: $0) }, keeping: .first)
            case .clear: rows = []
            }
        }
    }

    @Test("when nobody reads elements any more, nothing of the collection is kept", arguments: [true, false])
    func nothingKept(isStoreReleased: Bool) async throws {
        var store: Relux.Store? = try await Relux.Store { Part<TagA>(states: [Held()]) }
        await store?.dispatch(Held.Action.fill)
        weak let object = await store?.read { $0[Held.self, \.rows, id: 1]?.object }
        var shown: Relux.UI.ViewState? = try store?.viewState { reader in reader[Held.self, \.rows, id: 1]?.id }
        let isThere = shown?.value == 1 && object != nil

        shown = nil
        if isStoreReleased {
            await store?.shutdown()
            store = nil
        } else {
            await store?.dispatch(Held.Action.clear)
            #expect(await store?.waiterCount() == 0)
        }

        #expect(isThere)
        #expect(object == nil)
    }

    @Test("an iterator that nobody asks keeps nothing of a state that has gone")
    func nothingKeptOfGone() async throws {
        let store = try await Relux.Store { Part<TagA>(states: [Held()]) }
        await store.dispatch(Held.Action.fill)
        weak let object = await store.read { $0[Held.self, \.rows, id: 1]?.object }
        var ids = store.values { reader in reader[Held.self, \.rows, id: 1]?.id }.makeAsyncIterator()
        let first = await ids.next()
        let isThere = object != nil

        await store.unregister(Part<TagA>.self)

        #expect(first == 1 && isThere)
        #expect(object == nil)
        #expect(await ids.next() == .some(nil))
    }

    /// Collections that come and go.
    private struct Lists: Relux.State {
        enum Action: Relux.Action { case drop, put(String) }

        var lists = [Relux.Entities<Shelves.Row>](repeating: [Shelves.Row(id: 1, title: "one")], count: 2)

        mutating func reduce(_ action: Action) {
            switch action {
            case .drop: lists.removeLast()
            case .put(let title): lists[0].upsert(Shelves.Row(id: 1, title: title))
            }
        }
    }

    @Test("a path that leads nowhere any more isn't followed by the store")
    func pathsThatEnd() async throws {
        let store = try await Relux.Store { Part<TagA>(states: [Lists()]) }
        let titles = try [0, 1].map { index in
            try store.viewState { reader in
                let count = reader[Lists.self]?.lists.count ?? 0
                return index < count ? reader[Lists.self, \.lists[index], id: 1]?.title : nil
            }
        }

        store.doNow(Lists.Action.put("first"))
        let before = titles.map(\.value)
        store.doNow(Lists.Action.drop)

        #expect(before == ["first", "one"])
        #expect(titles.map(\.value) == ["first", nil])
    }

    @Test("after any changes, all view states show what the state has")
    func model() async throws {
        for seed in 0..<200 {
            var random = SeededGenerator(seed: UInt64(seed))
            let store = try await Relux.Store { Shelves.Module(count: 20) }
            var states: [(id: Int, state: Relux.UI.ViewState<String?>)] = []
            for step in 0..<60 {
                let id = Int.random(in: 0..<30, using: &random)
                switch Int.random(in: 0..<10, using: &random) {
                case 0: states.append((id, try store.viewState { reader in reader.title(id) }))
                case 1 where !states.isEmpty: states.remove(at: id % states.count)
                case 2: store.doNow(Action.remove(id))
                case 3: store.doNow(Action.reverse)
                case 4:
                    await store.dispatch(
                        contentsOf: [Action.remove(id), Action.put(id + 1, "\(step)"), Action.put(id, "\(step)")])
                case 5 where step % 9 == 0: await store.reset()
                default: store.doNow(Action.put(id, "\(step)"))
                }
                let rows = try await store.state(of: Shelves.self).rows
                for (id, state) in states {
                    let shown = await store.viewUpdates(state)
                    #expect(shown == rows[id: id]?.title, "seed \(seed), step \(step), row \(id)")
                }
            }
        }
    }
}

@Suite("Iterators of an element by its id", .timeLimit(.minutes(10)))
struct KeyedIteratorTests {
    private typealias Action = Shelves.Action

    private let world = SeededExecutor(seed: 1)

    @Test("an iterator wakes for its own element only")
    func iterators() async throws {
        let store = try await Relux.Store(.init(executor: world)) { Shelves.Module(count: 100) }
        let (selections, seen) = (Trace<Int>(), Trace<String?>())
        let titles = store.values { reader in
            selections.note(5)
            return reader.title(5)
        }
        let reading = await world.settle { for await title in titles { seen.note(title) } }

        for id in 6..<50 { await store.dispatch(Action.put(id, "other")) }
        await world.rest()
        let between = selections.entries.count
        for title in ["five", "V"] {
            await world.settle { await store.dispatch(Action.put(5, title)) }
        }
        await world.settle { await store.dispatch(Action.remove(5)) }
        reading.cancel()
        await world.rest()
        try await reading.value

        #expect(between == 1)
        #expect(seen.entries == ["5", "five", "V", nil])
        #expect(await store.waiterCount() == 0)
    }

    @Test(
        "a reader gets the last value of an element that changes before its state goes, or in the same step",
        arguments: [true, false], [true, false])
    func lastValue(isSameStep: Bool, isBusy: Bool) async throws {
        let store = try await Relux.Store(.init(executor: world)) { Gallery.Module(page: { Shelves.Room(id: $0) }) }
        await store.dispatch(Gallery.Pages.Action.open(1))
        let room = store.scope(of: Shelves.Room.self, id: 1)
        let (seen, gate) = (Trace<String?>(), Gate())
        let titles = room.values { reader in reader.title(2) }
        let reading = await world.settle {
            for await title in titles {
                seen.note(title)
                if isBusy { await gate.pass() }
            }
        }

        let last = Relux.ChildAction(Shelves.Room.self, id: 1, Action.put(2, "last"))
        if isSameStep {
            await store.dispatch {
                last
                Gallery.Pages.Action.close(1)
            }
        } else {
            await store.dispatch(last)
            await store.dispatch(Gallery.Pages.Action.close(1))
        }
        await world.open(gate)
        try await reading.value

        #expect(seen.entries == ["2", "last"])
    }
}

extension Relux.StateReader {
    fileprivate var chosenRow: Int { self[Shelves.self]?.chosen ?? 0 }
}

extension Relux.Store {
    /// What a view state shows after all updates so far.
    @MainActor
    fileprivate func viewUpdates<Value>(_ state: Relux.UI.ViewState<Value>) async -> Value {
        await turn()
        return state.value
    }
}
