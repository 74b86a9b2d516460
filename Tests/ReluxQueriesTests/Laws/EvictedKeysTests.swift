import Relux
import ReluxQueries
import ReluxTesting
import TestFixtures
import Testing

@Suite("Keys that are forgotten and evicted", .timeLimit(.minutes(10)))
struct EvictedKeysTests {
    @Test("no mutation and no row from before a value was forgotten brings it back, even if its key was evicted")
    func forgotten() async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let gate = Gate()
            let server = Server(gate: gate, world: world, heedsCancellation: false)
            let store = try await world.store { Library(server) }
            await store.dispatch(Relux.Provide(Books.self, Book(id: 1, title: "Book 1"), for: 1))
            let change = world.task("change") {
                await store.dispatch(Relux.Mutate(Books.self, .star, of: 1)).finished()
            }
            let list = world.task("list") { _ = try await store.perform(Relux.Fetch(Shelf.self, .all)) }
            await gate.arrivals(atLeast: 2)

            await store.dispatch(Relux.Forget(Books.self, 1))
            world.always("it stays forgotten") { $0.query(Books.self, 1).value == nil }
            await store.dispatch(Relux.Evict(Books.self))
            gate.open()

            try await change.value
            try await list.value
        }
    }

    @Test("a value that is evicted before it is read is asked for once")
    func noRoom() async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let server = Server(world: world)
            var books = Books(server: server)
            books.unusedLimit = 0
            let store = try await world.store { [books] in Library(books) }

            let book = try await store.perform(Relux.Fetch(Books.self, 1))

            #expect(book.id == 1)
            #expect(server.asked == [1])
        }
    }

    @Test("a value from elsewhere whose age isn't known doesn't make an invalid value valid")
    func provided() async throws {
        let server = Server()
        let store = try await Relux.Store { Library(server) }
        let book = try await store.perform(Relux.Fetch(Books.self, 1))
        await store.dispatch(Relux.Invalidate(Books.self, 1))

        await store.dispatch(Relux.Provide(Books.self, book, for: 1))

        #expect(await store.book(1).isInvalid)
        await store.dispatch(Relux.Provide(Books.self, book, for: 1, at: .zero))
        #expect(await !store.book(1).isInvalid)
    }

    @Test("a reset that keeps the values leaves no prefetch that something waits for")
    func prefetched() async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let store = try await world.store { Library(Server(world: world)) }
            await store.dispatch(Relux.Prefetch(Books.self, 1))
            try await world.latency(.zero ... .seconds(2))

            await store.reset(except: [Relux.QueryState<Books>.self])

            #expect(await !store.book(1).isLoading)
        }
    }

    @Test("a key that is evicted during a list's request takes no row of other keys along")
    func otherRows() async throws {
        let gate = Gate()
        let server = Server(gate: gate)
        let store = try await Relux.Store { Library(server) }
        let list = Task { try await store.perform(Relux.Fetch(Shelf.self, .all)) }
        await gate.arrivals(atLeast: 1)

        await store.dispatch(Relux.Provide(Books.self, Book(id: 1, title: "Pushed"), for: 1))
        await store.dispatch(Relux.Evict(Books.self))
        gate.open()
        _ = try await list.value

        #expect(await store.book(0).value == server[0]?.row)
        #expect(await store.book(1).value == nil)
    }

    @Test("a value that is forgotten after its prefetch isn't loading")
    func forgottenPrefetch() async throws {
        let store = try await Relux.Store { Library(Server()) }
        await store.dispatch(Relux.Prefetch(Books.self, 1)).finished()

        await store.dispatch(Relux.Forget(Books.self, 1)).finished()

        #expect(await store.book(1).value == nil)
        #expect(await !store.book(1).isLoading)
    }

    @Test("a prefetch whose request is cancelled leaves nothing loading")
    func cancelledPrefetch() async throws {
        struct Cancelled: Relux.Query {
            func fetch(_ key: Int, in request: Relux.QueryRequest) async throws -> Int { throw CancellationError() }
        }
        let store = try await Relux.Store { Relux.Queries(Cancelled()) }

        await store.dispatch(Relux.Prefetch(Cancelled.self, 1)).finished()

        #expect(await !store.query(Cancelled.self, 1).isLoading)
    }

    @Test(
        "a cancelled prefetch doesn't end another one of its key, and the last one takes the request along",
        arguments: 0..<3)
    func cancelledCallers(remaining: Int) async {
        await Simulation.explore(seeds: 0..<50, timePassesEarly: false) { world in
            let gate = Gate()
            let server = Server(gate: gate)
            let store = try await world.store { Library(server) }
            let callers = (0..<2).map { number in
                world.task("\(number)") { try await store.perform(Relux.Prefetch(Books.self, 1)) }
            }
            try await world.latency(.seconds(1) ... .seconds(1))

            for (number, caller) in callers.enumerated() where number != remaining { caller.cancel() }
            try await world.latency(.seconds(1) ... .seconds(1))
            #expect(await store.book(1).isLoading == (remaining < 2))
            gate.open()
            await world.settled()

            #expect(await store.book(1).value?.id == (remaining < 2 ? 1 : nil))
            #expect(await !store.book(1).isLoading)
            #expect(server.asked == [1])
        }
    }

    @Test("a prefetch isn't evicted before its answer", arguments: [true, false])
    func earlyEviction(isLimited: Bool) async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let server = Server(world: world)
            var books = Books(server: server)
            if isLimited { books.unusedLimit = 0 }
            let store = try await world.store { [books] in Library(books) }

            let page = await store.dispatch {
                Reading.Action.open(.init(id: 1, book: 1, isPrefetched: true))
                if !isLimited { Relux.Evict(Books.self) }
            }
            await page.finished()

            #expect(await store.book(1).value == server[1])
            #expect(server.asked == [1])
        }
    }

    @Test("a fetch of a key that is invalidated and evicted meanwhile gets a newer answer, and isn't cancelled")
    func invalidatedAndEvicted() async throws {
        let gate = Gate()
        let server = Server(gate: gate)
        let store = try await Relux.Store { Library(server) }
        let fetch = Task { try await store.perform(Relux.Fetch(Books.self, 1)) }
        await gate.arrivals(atLeast: 1)
        gate.letOnePass()
        await gate.arrivals(atLeast: 2)

        server[1]?.title = "New"
        await store.dispatch(Relux.Invalidate(Books.self, 1)).finished()
        await store.dispatch(Relux.Evict(Books.self))
        gate.open()

        #expect(try await fetch.value.title == "New")
        #expect(server.asked == [1, 1])
    }

    @Test("an invalidation of a removed key replaces no row of another answer")
    func rowsOfInvalidated() async throws {
        let gate = Gate()
        let server = Server()
        let store = try await Relux.Store { Library(server) }
        try await store.perform(Relux.Fetch(Books.self, 1))
        server.gate = gate
        let list = Task { try await store.perform(Relux.Fetch(Shelf.self, .all)) }
        await gate.arrivals(atLeast: 1)

        await store.dispatch(Relux.Invalidate(Books.self, 1))
        await store.dispatch(Relux.Evict(Books.self))
        gate.open()
        _ = try await list.value

        #expect(await store.book(1).value == server[1]?.row)
    }
}
