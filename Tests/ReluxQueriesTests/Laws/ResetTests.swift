import Foundation
import Relux
import ReluxPersistence
import ReluxQueries
import ReluxTesting
import TestFixtures
import Testing

@Suite("Resets and saving", .timeLimit(.minutes(10)))
struct ResetTests {
    // MARK: Law 9

    enum Kind: CaseIterable { case all, keepingValues, only, replacement }

    @Test(
        "after a reset, nothing from before is written, and what is used is asked for again", arguments: Kind.allCases)
    func reset(_ kind: Kind) async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let server = Server(world: world, heedsCancellation: world.fails(0.5))
            let store = try await world.store {
                Library(server); BookPage(id: 1, page: .init(id: 1, book: 1))
            }
            world.task("performer") { _ = try? await store.perform(Relux.Fetch(Books.self, 2)) }
            world.task("mutation") { await store.dispatch(Relux.Mutate(Books.self, .favorite(true), of: 2)) }
            world.task("more") { await store.dispatch(Relux.FetchMore(Shelf.self, .all)) }
            try await world.latency(.zero ... .seconds(4))

            server[1]?.title = "New"
            switch kind {
            case .all: await store.reset()
            case .keepingValues: await store.reset(except: [Relux.QueryState<Books>.self])
            case .only: await store.reset(only: [Relux.Queries<Books>.self])
            case .replacement: try await store.replace(Relux.Queries(Books(server: server)))
            }
            // A restarted watcher isn't what a store waits for.
            try await world.latency(.seconds(20) ... .seconds(20))
            await world.settled()

            #expect(await store.book(1).value?.title == "New")
            #expect(await store.book(1).isUsed)
            for id in 1...2 {
                #expect(await !store.book(id).isFetching)
                #expect(await !store.book(id).isChanging)
            }
            #expect(await !store.query(Shelf.self, .all).isFetchingMore)
        }
    }

    @Test("a reset that keeps the values ends what goes on")
    func keepingValues() async throws {
        let gate = Gate()
        let store = try await Relux.Store { Library(Server(gate: gate)) }
        await store.dispatch(Relux.Provide(Books.self, Book(id: 1, title: "Kept"), for: 1))
        let fetch = Task { try? await store.perform(Relux.Fetch(Books.self, 1)) }
        await store.dispatch(Relux.Mutate(Books.self, .star, of: 1))
        await gate.arrivals(atLeast: 2)

        // The reset waits for the requests, which go on until they are answered.
        let reset = Task { await store.reset(except: [Relux.QueryState<Books>.self]) }
        try await store.wait(until: { !$0.query(Books.self, 1).isFetching && !$0.query(Books.self, 1).isChanging })
        gate.open()
        await reset.value
        _ = await fetch.value

        #expect(await store.book(1).value?.title == "Kept")
    }

    enum Restart: CaseIterable { case reset, registration }

    @Test("rows that were asked for before their query began again don't come back", arguments: Restart.allCases)
    func lateRows(_ restart: Restart) async throws {
        let gate = Gate()
        let server = Server(gate: gate)
        let store = try await Relux.Store {
            Relux.Queries(Shelf(server: server)); Relux.Queries(Books(server: server))
        }
        for _ in 0..<3 { await store.dispatch(Relux.Invalidate(Books.self)) }
        let list = Task { try await store.perform(Relux.Fetch(Shelf.self, .all)) }
        await gate.arrivals(atLeast: 1)

        switch restart {
        case .reset: await store.reset(only: [Relux.Queries<Books>.self])
        case .registration:
            await store.unregister(Relux.Queries<Books>.self)
            try await store.register(Relux.Queries(Books(server: server)))
        }
        await store.dispatch(Relux.Provide(Books.self, Book(id: 1, title: "New"), for: 1))
        gate.open()
        _ = try await list.value

        #expect(await store.book(0).value == nil)
        #expect(await store.book(1).value?.title == "New")
    }

    // MARK: Law 10

    private static func persistence(_ storage: any Relux.Storage) -> [any Relux.StatePersistence] {
        [
            Relux.Saved(
                Relux.QueryState<Books>.self, as: "books", in: storage, saving: \.saved, restoring: { $0.saved = $1 },
                elements: \.values)
        ]
    }

    @Test("what is loaded is shown, and stale, and one changed key writes one record")
    func saving() async throws {
        let storage = Relux.MemoryStorage()
        var library = Library(Server())
        library.saving = Self.persistence(storage)
        var store: Relux.Store? = try await Relux.Store { [library] in library }
        for id in 0..<3 { try await store?.perform(Relux.Fetch(Books.self, id)) }
        await store?.shutdown()
        let before = try await storage.all()

        store = try await Relux.Store { [library] in library }
        let book = try #require(await store?.book(1))
        #expect(book.value?.title == "Book 1")
        #expect(book.fetchedAt == nil && book.isStale(at: .zero) && !book.isFetching)
        await store?.dispatch(Relux.Provide(Books.self, Book(id: 1, title: "New"), for: 1))
        await store?.shutdown()

        let after = try await storage.all()
        let changed = after.filter { before[$0.key] != $0.value }.keys.filter { $0 != "books" }
        #expect(changed.count == 1)
    }
}

extension Relux.Storage {
    func all() async throws -> [String: Data] {
        var all: [String: Data] = [:]
        for key in try await keys() { all[key] = try await read(key) }
        return all
    }
}
