import Relux
import ReluxPersistence
import ReluxQueries
import ReluxTesting
import TestFixtures
import Testing

@Suite("Eviction", .timeLimit(.minutes(10)))
struct EvictionTests {
    // MARK: Law 7

    @Test("an unused value is removed a time after its last use, not earlier, and a used one isn't")
    func lastUse() async {
        await Simulation.explore(seeds: 0..<20, timePassesEarly: false) { world in
            let store = try await world.store {
                Library(Server()); Screen()
            }
            await store.dispatch(Wanted.Action.use([1]))
            try await store.perform(Relux.Fetch(Books.self, 2))
            try await world.latency(.seconds(299) ... .seconds(299))
            #expect(await store.book(2).value != nil)
            try await world.latency(.seconds(2) ... .seconds(2))
            #expect(await store.book(2).value == nil)
            #expect(await store.book(1).value != nil)

            await store.dispatch(Wanted.Action.use([]))
            try await world.latency(.seconds(200) ... .seconds(200))
            await store.dispatch(Wanted.Action.use([1]))
            try await world.latency(.seconds(1) ... .seconds(1))
            await store.dispatch(Wanted.Action.use([]))
            try await world.latency(.seconds(299) ... .seconds(299))
            #expect(await store.book(1).value != nil)
            try await world.latency(.seconds(2) ... .seconds(2))
            #expect(await store.book(1).value == nil)
        }
    }

    @Test("nothing is removed that is used, fetched or changed, and not before its time, in any order")
    func anyOrder() async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let server = Server(world: world)
            var books = Books(server: server)
            books.keptFor = .seconds(2)
            let store = try await world.store { [books] in
                Library(books); Screen()
            }
            for user in 0..<2 {
                world.task("user \(user)") {
                    for _ in 0..<4 {
                        try await world.latency(.zero ... .seconds(3))
                        switch world.random(in: 0...3) {
                        case 0: await store.dispatch(Wanted.Action.use([0]))
                        case 1: await store.dispatch(Wanted.Action.use([]))
                        case 2: await store.dispatch(Relux.Mutate(Books.self, .star, of: 0))
                        default: _ = try await store.perform(Relux.Fetch(Books.self, 0))
                        }
                    }
                }
            }
            let held = Shared(false)
            world.always("what is used stays") { reader in
                let book = reader.query(Books.self, 0)
                let isLost = held.value && book.value == nil
                held.value = book.value != nil && (book.isUsed || book.isFetching || book.isChanging)
                return !isLost
            }
            await world.settled()
            await store.dispatch(Wanted.Action.use([]))
            try await world.latency(.seconds(10) ... .seconds(10))
            #expect(await store.book(0) == .init())
        }
    }

    @Test("there is one timer, which runs only while something is unused")
    func timer() async throws {
        let clock = ManualClock()
        let store = try await Relux.Store(.init(clock: clock)) {
            Library(Server()); Screen()
        }
        await store.dispatch(Wanted.Action.use([0, 1, 2]))
        try await store.wait(until: { reader in (0...2).allSatisfy { reader.query(Books.self, $0).value != nil } })
        try await store.idle()
        await store.dispatch(Wanted.Action.use([0]))
        #expect(await clock.sleepers(atLeast: 1).count == 1)

        await store.dispatch(Wanted.Action.use([0, 1, 2]))
        try await store.wait(until: { reader in (0...2).allSatisfy { reader.query(Books.self, $0).isUsed } })
        try await store.idle()
        await clock.advance(by: .seconds(1_000))

        #expect(clock.sleepers.isEmpty)
        for id in 0...2 { #expect(await store.book(id).value != nil) }
    }

    @Test("beyond the limit, the keys are removed first whose last use is longest ago")
    func limit() async throws {
        var books = Books(server: Server(books: 5))
        books.unusedLimit = 2
        let store = try await Relux.Store { [books] in Library(books) }
        for id in 0..<5 { try await store.perform(Relux.Fetch(Books.self, id)) }

        try await store.wait(until: { reader in (0...2).allSatisfy { reader.query(Books.self, $0).value == nil } })

        #expect(await store.book(3).value != nil)
        #expect(await store.book(4).value != nil)
    }

    @Test("of more saved values than the limit, those remain that arrived last")
    func savedLimit() async throws {
        let storage = Relux.MemoryStorage()
        var books = Books(server: Server(books: 12))
        func store(_ books: Books) async throws -> Relux.Store {
            var library = Library(books)
            library.saving = [
                Relux.Saved(
                    Relux.QueryState<Books>.self, as: "books", in: storage, saving: \.saved,
                    restoring: { $0.saved = $1 }, elements: \.values)
            ]
            return try await Relux.Store { [library] in library }
        }
        let first = try await store(books)
        for id in 0..<12 { try await first.perform(Relux.Fetch(Books.self, id)) }
        await first.shutdown()

        books.unusedLimit = 3
        let second = try await store(books)
        try await second.wait(until: { reader in
            (0..<12).filter { reader.query(Books.self, $0).value != nil }.count == 3
        })

        #expect(try await second.state(of: Relux.QueryState<Books>.self).kept.ids == [9, 10, 11])
    }

    @Test("an eviction removes all that is unused, at once")
    func evict() async throws {
        let store = try await Relux.Store {
            Library(Server()); BookPage(id: 1, page: .init(id: 1, book: 1))
        }
        try await store.wait(until: { $0.query(Books.self, 1).value != nil })
        try await store.perform(Relux.Fetch(Books.self, 2))

        await store.dispatch(Relux.Evict(Books.self))

        #expect(await store.book(1).value != nil)
        #expect(await store.book(2) == .init())
    }

    @Test("a prefetch of a fresh value is its last use")
    func prefetched() async {
        await Simulation.explore(seeds: 0..<20, timePassesEarly: false) { world in
            var books = Books(server: Server())
            books.staleAfter = .seconds(1_000)
            let store = try await world.store { [books] in Library(books) }
            try await store.perform(Relux.Fetch(Books.self, 1))
            try await world.latency(.seconds(200) ... .seconds(200))

            await store.dispatch(Relux.Prefetch(Books.self, 1))
            try await world.latency(.seconds(299) ... .seconds(299))
            #expect(await store.book(1).value != nil)
            try await world.latency(.seconds(2) ... .seconds(2))

            #expect(await store.book(1) == .init())
        }
    }
}
