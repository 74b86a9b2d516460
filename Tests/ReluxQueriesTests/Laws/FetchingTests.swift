import Relux
import ReluxQueries
import ReluxTesting
import TestFixtures
import Testing

@Suite("Fetching", .timeLimit(.minutes(10)))
struct FetchingTests {
    // MARK: Law 1

    @Test("a fetch after an invalidation gets an answer that was asked for after it")
    func invalidatedWhileFetching() async throws {
        let gate = Gate()
        let server = Server(gate: gate)
        let store = try await Relux.Store { Library(server) }
        let early = Task { try await store.perform(Relux.Fetch(Books.self, 1)) }
        await gate.arrivals(atLeast: 1)
        // The server has read the book, and has yet to answer.
        gate.letOnePass()
        await gate.arrivals(atLeast: 2)

        server[1]?.title = "New"
        await store.dispatch(Relux.Invalidate(Books.self, 1))
        gate.open()

        #expect(try await store.perform(Relux.Fetch(Books.self, 1)).title == "New")
        #expect(try await early.value.title == "New")
        try await store.shutdownAndCheck()
    }

    @Test("no fetch gets an answer that is older than the invalidation before it, in any order")
    func neverTooOld() async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let server = Server(books: 1, world: world, heedsCancellation: world.fails(0.5))
            let store = try await world.store { Library(server) }
            for user in 0..<3 {
                world.task("user \(user)") {
                    for _ in 0..<3 {
                        try await world.latency(.zero ... .seconds(3))
                        server[0]?.stars += 1
                        let least = server[0]?.stars ?? 0
                        await store.dispatch(Relux.Invalidate(Books.self, 0))
                        if world.fails(0.3) { await store.dispatch(Relux.Evict(Books.self)) }
                        let book = try await store.perform(Relux.Fetch(Books.self, 0))
                        #expect(book.stars >= least)
                    }
                }
            }
        }
    }

    @Test("a fetch after a write gets what was written, or something newer")
    func writtenWhileFetching() async throws {
        let gate = Gate()
        let store = try await Relux.Store { Library(Server(gate: gate)) }
        let early = Task { try await store.perform(Relux.Fetch(Books.self, 1)) }
        await gate.arrivals(atLeast: 1)

        await store.dispatch(Relux.Provide(Books.self, Book(id: 1, title: "Pushed"), for: 1, at: .zero))
        gate.open()

        #expect(try await early.value.title == "Pushed")
        #expect(await store.book(1).value?.title == "Pushed")
    }

    // MARK: Law 2

    @Test(
        "all who want a key share one request, and the next one makes a new one",
        arguments: [Relux.Fetch<Books>.Mode.ifStale, .anew])
    func shared(_ mode: Relux.Fetch<Books>.Mode) async {
        await Simulation.explore(seeds: 0..<50, timePassesEarly: false) { world in
            let gate = Gate()
            let server = Server(gate: gate)
            let store = try await world.store { Library(server) }

            let fetches = (0..<5).map { number in
                world.task("\(number)") { try await store.perform(Relux.Fetch(Books.self, 1, mode)) }
            }
            try await world.latency(.seconds(1) ... .seconds(1))
            #expect(await store.book(1).isFetching)
            gate.open()
            for fetch in fetches { #expect(try await fetch.value.id == 1) }

            #expect(server.asked == [1])
            #expect(await !store.book(1).isFetching)
            try await store.perform(Relux.Fetch(Books.self, 1))
            #expect(server.asked == [1, 1])
        }
    }

    @Test("an outdated request is cancelled, and its waiters get the new answer, without anybody else asking")
    func outdatedIsCancelled() async throws {
        let gate = Gate()
        let server = Server(gate: gate)
        let store = try await Relux.Store { Library(server) }
        let fetch = Task { try await store.perform(Relux.Fetch(Books.self, 1)) }
        await gate.arrivals(atLeast: 1)

        await store.dispatch(Relux.Invalidate(Books.self)).finished()
        #expect(await !store.book(1).isFetching)
        gate.letOnePass()
        await gate.arrivals(atLeast: 2)
        gate.letOnePass()
        await gate.arrivals(atLeast: 3)
        #expect(await store.book(1).value == nil)
        server[1]?.title = "New"
        gate.open()

        #expect(try await fetch.value.title == "New")
        #expect(server.asked == [1, 1])
    }

    @Test("an outdated failure is thrown to nobody")
    func outdatedFailure() async throws {
        let gate = Gate()
        let server = Server(gate: gate)
        server.isDown = true
        let store = try await Relux.Store { Library(server) }
        let fetch = Task { try await store.perform(Relux.Fetch(Books.self, 1)) }
        await gate.arrivals(atLeast: 1)
        gate.letOnePass()
        await gate.arrivals(atLeast: 2)

        server.isDown = false
        await store.dispatch(Relux.Invalidate(Books.self, 1))
        gate.open()

        #expect(try await fetch.value.id == 1)
        #expect(await store.book(1).failure == nil)
    }

    @Test("the answer of an outdated request is neither stored nor returned, in any order")
    func oneAtATime() async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let begun = Shared(0)
            let store = try await world.store { Relux.Queries(Numbered(world: world, begun: begun)) }
            let newest = Shared(0)
            world.always("stored answers are newer and newer") { reader in
                let value = reader.query(Numbered.self, 0).value ?? 0
                let isNewer = value >= newest.value
                newest.change { $0 = max($0, value) }
                return isNewer
            }
            for user in 0..<4 {
                world.task("user \(user)") {
                    for _ in 0..<3 {
                        try await world.latency(.zero ... .seconds(2))
                        var least = 0
                        if world.fails(0.3) {
                            least = begun.value + 1
                            await store.dispatch(Relux.Invalidate(Numbered.self, 0))
                        }
                        #expect(try await store.perform(Relux.Fetch(Numbered.self, 0, .anew)) >= least)
                    }
                }
            }
            await world.settled()

            #expect(await !store.query(Numbered.self, 0).isFetching)
        }
    }

    /// Answers with the number of the request, whether it is cancelled or not.
    private struct Numbered: Relux.Query {
        let world: Simulation.World
        let begun: Shared<Int>

        func fetch(_ key: Int, in request: Relux.QueryRequest) async throws -> Int {
            begun.change { $0 += 1 }
            let number = begun.value
            try await world.latency(.zero ... .seconds(2), heedsCancellation: false)
            return number
        }
    }

    // MARK: Law 8

    @Test("an equal answer changes no value")
    func equalAnswer() async throws {
        let store = try await Relux.Store { Library(Server()) }
        try await store.perform(Relux.Fetch(Books.self, 1))
        let before = try await store.state(of: Relux.QueryState<Books>.self).saved
        var values = store.values { $0.query(Books.self, 1).value }.makeAsyncIterator()
        #expect(await values.next()??.title == "Book 1")

        try await store.perform(Relux.Fetch(Books.self, 1, .anew))
        #expect(try await store.state(of: Relux.QueryState<Books>.self).saved == before)
        await store.dispatch(Relux.Provide(Books.self, Book(id: 1, title: "Other"), for: 1))

        #expect(await values.next()??.title == "Other")
    }

    @Test("what happens to one key selects no other again")
    func otherKeys() async throws {
        let (server, clock) = (Server(books: 20), ManualClock())
        let store = try await Relux.Store(.init(clock: clock)) { Library(server) }
        for key in 0..<10 { try await store.perform(Relux.Fetch(Books.self, key)) }
        let selected = Lock<[Int]>([])
        let begun = Gate()
        begun.open()
        // The last ones have no value yet.
        let readers = (1..<20).map { key in
            let values = store.values { reader in
                selected.withLock { $0.append(key) }
                return reader.query(Books.self, key)
            }
            return Task { for await _ in values { await begun.pass() } }
        }
        await begun.arrivals(atLeast: 19)
        selected.withLock { $0 = [] }

        try await store.perform(Relux.Fetch(Books.self, 0, .anew))
        await store.dispatch(Relux.Invalidate(Books.self, 0))
        await store.dispatch(Relux.Provide(Books.self, Book(id: 0, title: "Other"), for: 0))
        await store.dispatch(Relux.Mutate(Books.self, .star, of: 0)).finished()
        await store.dispatch(Reading.Action.open(.init(id: 1, book: 0, isPrefetched: true))).finished()
        server.isDown = true
        _ = try? await store.perform(Relux.Fetch(Books.self, 0, .anew))
        await store.dispatch(Reading.Action.close(1))
        await store.dispatch(Relux.Forget(Books.self, 0))
        try await store.idle()
        let others = selected.withLock { $0 }
        await store.dispatch(Relux.Invalidate(Books.self))
        for reader in readers { reader.cancel() }
        for reader in readers { await reader.value }

        #expect(others == [])
        #expect(await store.book(3).isInvalid)
    }

    @Test("an added action is reduced in the step of the answer, and only of an answer")
    func addedActions() async throws {
        struct Adding: Relux.Query {
            let server: Server

            func fetch(_ id: Int, in request: Relux.QueryRequest) async throws -> Book {
                request.add(Notices.Action.confirmed(id))
                return try await server.book(id)
            }
        }
        let server = Server()
        let store = try await Relux.Store {
            Library(server)
            Relux.Queries(Adding(server: server))
        }
        let moments = store.values { reader in
            [reader.query(Adding.self, 1).value == nil ? 0 : 1, reader[Notices.self]?.confirmed.count ?? 0]
        }
        var seen = moments.makeAsyncIterator()
        #expect(await seen.next() == [0, 0])

        try await store.perform(Relux.Fetch(Adding.self, 1))
        #expect(await seen.next() == [1, 1])
        server.isDown = true
        _ = try? await store.perform(Relux.Fetch(Adding.self, 1, .anew))

        #expect(try await store.state(of: Notices.self).confirmed == [1])
    }

    // MARK: Law 12

    @Test("a failure is typed, keeps the old value, and is thrown to performers")
    func failure() async throws {
        let server = Server()
        let store = try await Relux.Store { Library(server) }
        try await store.perform(Relux.Fetch(Books.self, 1))
        server.isDown = true

        await #expect(throws: Relux.QueryFailure(Server.Down())) { try await store.call(Relux.Fetch(Books.self, 1)) }

        let book = await store.book(1)
        #expect(book.value?.title == "Book 1")
        #expect(book.failure == Relux.QueryFailure(Server.Down()))
        #expect(!book.isFetching)
    }

    @Test("a failed attempt is repeated, and counted, as the query says")
    func retries() async throws {
        let server = Server()
        server.isDown = true
        let clock = ManualClock()
        let store = try await Relux.Store(.init(clock: clock)) {
            var books = Books(server: server)
            books.retry = .constant(.seconds(1), attempts: 3)
            return [Library(books)]
        }
        let fetch = Task { try await store.perform(Relux.Fetch(Books.self, 1)) }
        await clock.sleepers(atLeast: 1)
        #expect(await store.book(1).failedAttempts == 1)

        server.isDown = false
        await clock.advance(by: .seconds(1))

        #expect(try await fetch.value.id == 1)
        #expect(await store.book(1).failedAttempts == 0)
        #expect(await store.book(1).failure == nil)
    }

    // MARK: Law 13

    @Test("an answer is fresh on the store's clock")
    func fresh() async throws {
        let server = Server()
        let clock = ManualClock()
        let store = try await Relux.Store(.init(clock: clock)) {
            var books = Books(server: server)
            books.staleAfter = .seconds(60)
            return [Library(books)]
        }
        try await store.perform(Relux.Fetch(Books.self, 1))
        #expect(await store.book(1).fetchedAt == .zero)

        await clock.advance(by: .seconds(59))
        try await store.perform(Relux.Fetch(Books.self, 1))
        #expect(server.asked == [1])
        await clock.advance(by: .seconds(1))
        #expect(await store.book(1).isStale(at: .seconds(60)))
        try await store.perform(Relux.Fetch(Books.self, 1))
        #expect(server.asked == [1, 1])
        try await store.perform(Relux.Fetch(Books.self, 1, .anew))
        #expect(server.asked == [1, 1, 1])
    }
    @Test("a value is fresh as the present query says, after a replacement and in a state that was given")
    func presentStaleness() async throws {
        let server = Server()
        let clock = ManualClock()
        var books = Books(server: server)
        books.staleAfter = .seconds(60)
        let given = Relux.QueryState<Books>([2: Book(id: 2, title: "Given")])
        let store = try await Relux.Store(.init(clock: clock, states: [given])) { [books] in Library(books) }
        await store.dispatch(Relux.Provide(Books.self, Book(id: 0, title: "Pushed"), for: 0, at: .zero))
        for _ in 0..<2 { try await store.perform(Relux.Fetch(Books.self, 1)) }
        #expect(server.asked == [1])
        #expect(await !store.book(1).isStale(at: .seconds(59)))

        books.staleAfter = .seconds(10)
        try await store.replace(Relux.Queries(books))
        await clock.advance(by: .seconds(10))
        try await store.perform(Relux.Fetch(Books.self, 1))

        #expect(server.asked == [1, 1])
        #expect(await store.book(1).isStale(at: .seconds(20)))
        #expect(await store.book(0).isStale(at: .seconds(10)))
        #expect(await store.book(2).value?.title == "Given")
    }

}

extension Relux.Store {
    /// Ends the store, so that a test doesn't leave work behind.
    func shutdownAndCheck() async throws {
        try await idle()
        await shutdown()
    }
}

@Suite("The order of readers", .timeLimit(.minutes(10))) @MainActor
struct ReaderOrderTests {
    @Test("an invalidation by a predicate reaches the readers of keys in their order, whatever that of the keys is")
    func invalidated() async throws {
        let books = (0..<12).map { ($0, Book(id: $0, title: "Known")) }
        let store = try await Relux.Store {
            Relux.Queries(Books(server: Server()), initial: Dictionary(uniqueKeysWithValues: books))
        }
        let selections = Lock<[Int]>([])
        let states = try (0..<12).map { id in
            try store.viewState { reader in
                selections.withLock { $0.append(id) }
                return reader.query(Books.self, id).value?.title
            }
        }

        await store.dispatch(Relux.Invalidate(Books.self, where: { _ in true }))
        // Updates that have been requested precede this.
        await Task.detached { @MainActor in }.value

        #expect(selections.withLock { $0 } == Array(0..<12) + Array(0..<12))
        #expect(states.allSatisfy { $0.value == "Known" })
    }
}
