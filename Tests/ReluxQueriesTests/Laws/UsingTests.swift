import Relux
import ReluxQueries
import ReluxTesting
import TestFixtures
import Testing

@Suite("Uses", .timeLimit(.minutes(10)))
struct UsingTests {
    // MARK: Law 5

    @Test("a use fetches what is missing or stale, and further uses share the request")
    func fetches() async {
        await Simulation.explore(seeds: seeds(50), timePassesEarly: false) { world in
            let gate = Gate()
            let server = Server(gate: gate)
            let store = try await world.store { Library(server) }
            await store.dispatch(Reading.Action.open(.init(id: 1, book: 1)))
            await store.dispatch(Reading.Action.open(.init(id: 2, book: 1)))
            try await world.latency(.seconds(1) ... .seconds(1))
            #expect(await store.book(1).isLoading)
            #expect(await store.book(1).isUsed)
            gate.open()
            try await store.idle()

            #expect(server.asked == [1])
            await store.dispatch(Reading.Action.open(.init(id: 3, book: 1)))
            try await world.latency(.seconds(1) ... .seconds(1))
            #expect(server.asked == [1, 1])
        }
    }

    @Test("the keys of a use follow the states, and what two selections have in common stays in use")
    func keys() async throws {
        let server = Server()
        let store = try await Relux.Store {
            Library(server); Screen()
        }
        await store.dispatch(Wanted.Action.use([0, 1]))
        try await store.wait(until: { $0.query(Books.self, 1).value != nil && $0.query(Books.self, 0).value != nil })

        await store.dispatch(Wanted.Action.use([1, 2]))
        try await store.wait(until: { $0.query(Books.self, 2).value != nil && !$0.query(Books.self, 0).isUsed })

        #expect(server.asked.sorted() == [0, 1, 2])
        #expect(await store.book(1).isUsed)
        await store.dispatch(Wanted.Action.use([]))
        try await store.wait(until: { !$0.query(Books.self, 1).isUsed && !$0.query(Books.self, 2).isUsed })
    }

    @Test("a failed request of a use is in the state, and isn't reported")
    func failuresOfUses() async throws {
        let server = Server()
        server.isDown = true
        let store = try await Relux.Store { Library(server) }
        let failures = store.failures

        await store.dispatch(Reading.Action.open(.init(id: 1, book: 1)))
        try await store.wait(until: { $0.query(Books.self, 1).failure == Relux.QueryFailure(Server.Down()) })
        try await store.idle()
        await store.shutdown()

        #expect(await failures.first { _ in true } == nil)
    }

    /// What asks again after a request has given up.
    enum Asking: CaseIterable { case use, invalidation, fetch }

    @Test(
        "a request of a use that ends itself is no failure, and leaves nothing loading until somebody asks again",
        arguments: Asking.allCases)
    func requestsThatGiveUp(asking: Asking) async {
        struct Unsure: Relux.Query {
            let requests: Shared<Int>
            let gate: Gate

            func fetch(_ key: Int, in request: Relux.QueryRequest) async throws -> Int {
                requests.change { $0 += 1 }
                if requests.value == 1 { throw CancellationError() }
                await gate.pass()
                return key
            }
        }
        struct User: Relux.Module, Identifiable {
            let id: Int

            var watchers: [any Relux.Watcher] { [Relux.Using(Unsure.self, 7)] }
        }
        struct Screen: Relux.StoreObserver {
            let isLoading = Shared<[Bool]>([])

            func actionReduced(_ record: Relux.ActionRecord, leaving reader: borrowing Relux.StateReader) {
                let shown = reader.query(Unsure.self, 7).isLoading
                isLoading.change { $0.append(shown) }
            }
        }
        await Simulation.explore(seeds: seeds(50)) { world in
            let (gate, requests, screen) = (Gate(), Shared(0), Screen())
            let store = try await world.store(.init(observers: [screen])) {
                Relux.Queries(Unsure(requests: requests, gate: gate))
            }
            try await store.register(User(id: 1))
            try await store.wait(until: { $0.query(Unsure.self, 7).isUsed })
            try await store.idle()

            let given = await store.read { $0.query(Unsure.self, 7) }
            switch asking {
            case .use: try await store.register(User(id: 2))
            case .invalidation: await store.dispatch(Relux.Invalidate(Unsure.self, 7))
            case .fetch: await store.dispatch(Relux.Fetch(Unsure.self, 7))
            }
            await gate.arrivals()
            screen.isLoading.value = []
            await store.dispatch(Relux.Invalidate(Unsure.self, 7))
            await gate.arrivals(atLeast: 2)
            let isLoading = screen.isLoading.value
            gate.open()
            try await store.wait(until: { $0.query(Unsure.self, 7).value == 7 })

            #expect((given.isLoading, given.isFetching, given.isUsed) == (false, false, true))
            #expect(given.failure == nil)
            #expect(isLoading.count > 2)
            #expect(!isLoading.contains(false))
            #expect(requests.value == 3)
        }
    }

    @Test("a use that only keeps asks for nothing")
    func keeping() async throws {
        let server = Server()
        let store = try await Relux.Store {
            Library(server); Screen(isFetching: false)
        }
        await store.dispatch(Wanted.Action.use([1]))
        try await store.wait(until: { $0.query(Books.self, 1).isUsed })
        try await store.idle()

        #expect(server.asked.isEmpty)
        #expect(await !store.book(1).isLoading)
    }

    @Test("a recheck asks for what is used and stale, and nothing else")
    func recheck() async throws {
        let server = Server()
        let clock = ManualClock()
        var books = Books(server: server)
        books.staleAfter = .seconds(60)
        let store = try await Relux.Store(.init(clock: clock)) { [books] in
            Library(books); Screen()
        }
        await store.dispatch(Wanted.Action.use([1]))
        try await store.wait(until: { $0.query(Books.self, 1).value != nil })
        try await store.perform(Relux.Fetch(Books.self, 2))

        await store.dispatch(Relux.Recheck(Books.self)).finished()
        #expect(server.asked == [1, 2])
        await clock.advance(by: .seconds(60))
        await store.dispatch(Relux.Recheck(Books.self)).finished()

        #expect(server.asked == [1, 2, 1])
    }

    @Test("a poll asks again at an age")
    func polling() async {
        await Simulation.explore(seeds: 0..<20, timePassesEarly: false) { world in
            let server = Server()
            let store = try await world.store {
                Library(server); Screen(interval: .seconds(10))
            }
            await store.dispatch(Wanted.Action.use([1]))
            try await world.latency(.seconds(5) ... .seconds(5))
            #expect(server.asked.count == 1)
            try await store.perform(Relux.Fetch(Books.self, 1, .anew))
            try await world.latency(.seconds(9) ... .seconds(9))
            #expect(server.asked.count == 2)
            try await world.latency(.seconds(2) ... .seconds(2))
            #expect(server.asked.count == 3)
            await store.dispatch(Wanted.Action.use([]))
        }
    }

    @Test("a poll counts the age that a value has when its use begins")
    func pollingOfAnOldValue() async {
        await Simulation.explore(seeds: 0..<20, timePassesEarly: false) { world in
            let server = Server()
            var books = Books(server: server)
            books.staleAfter = .seconds(60)
            let store = try await world.store { [books] in
                Library(books)
                Screen(interval: .seconds(10))
            }
            try await store.perform(Relux.Fetch(Books.self, 1))
            try await world.latency(.seconds(7) ... .seconds(7))
            await store.dispatch(Wanted.Action.use([1]))
            try await world.latency(.seconds(2) ... .seconds(2))
            #expect(server.asked.count == 1)
            try await world.latency(.seconds(2) ... .seconds(2))
            #expect(server.asked.count == 2)
            await store.dispatch(Wanted.Action.use([]))
        }
    }

    // MARK: Law 6

    @Test("the closing step marks the key as unused, and ends its request")
    func closing() async throws {
        let gate = Gate()
        let server = Server(gate: gate)
        let store = try await Relux.Store { Library(server) }
        await store.dispatch(Reading.Action.open(.init(id: 1, book: 1)))
        await gate.arrivals(atLeast: 1)
        #expect(await store.book(1).isFetching)

        await store.dispatch(Reading.Action.close(1))

        #expect(await !store.book(1).isUsed)
        #expect(await !store.book(1).isFetching)
        gate.open()
        try await store.idle()
        #expect(await store.book(1).value == nil)
    }

    @Test(
        "a request that somebody performs, or that isn't cancelled with its users, goes on", arguments: [true, false])
    func goingOn(isPerformed: Bool) async {
        await Simulation.explore(seeds: 0..<50, timePassesEarly: false) { world in
            let gate = Gate()
            var books = Books(server: Server(gate: gate))
            books.cancelsUnused = isPerformed
            let store = try await world.store { [books] in Library(books) }
            await store.dispatch(Reading.Action.open(.init(id: 1, book: 1)))
            if isPerformed {
                world.task("performer") { _ = try await store.perform(Relux.Fetch(Books.self, 1)) }
            }
            try await world.latency(.seconds(1) ... .seconds(1))

            await store.dispatch(Reading.Action.close(1))
            gate.open()
            await world.settled()

            #expect(await store.book(1).value?.id == 1)
        }
    }

    /// What asks again for a value that is used.
    enum Refetch: CaseIterable { case invalidation, recheck, rejection, poll }

    @Test(
        "whatever asks again for a used value goes on after the last use, if it isn't cancelled with its users",
        arguments: Refetch.allCases)
    func refetchesGoOn(refetch: Refetch) async {
        await Simulation.explore(seeds: 0..<20, timePassesEarly: false) { world in
            let (server, gate) = (Server(), Gate())
            var books = Books(server: server)
            books.cancelsUnused = false
            books.staleAfter = refetch == .poll ? .seconds(60) : .seconds(10)
            let store = try await world.store { [books] in
                Library(books); Screen(interval: refetch == .poll ? .seconds(10) : nil)
            }
            await store.dispatch(Wanted.Action.use([1]))
            try await world.latency(.seconds(1) ... .seconds(1))
            server[1]?.title = "New"
            server.rejects = true
            server.gate = gate
            try await world.latency(.seconds(10) ... .seconds(10))
            switch refetch {
            case .invalidation: await store.dispatch(Relux.Invalidate(Books.self, 1))
            case .recheck: await store.dispatch(Relux.Recheck(Books.self))
            case .rejection: await store.dispatch(Relux.Mutate(Books.self, .star, of: 1))
            case .poll: break
            }
            try await world.latency(.seconds(1) ... .seconds(1))
            for _ in 0..<(refetch == .rejection ? 2 : 0) {
                gate.letOnePass()
                try await world.latency(.seconds(1) ... .seconds(1))
            }
            #expect(await store.book(1).isFetching)

            await store.dispatch(Wanted.Action.use([]))
            try await world.latency(.seconds(1) ... .seconds(1))
            gate.open()
            await world.settled()

            #expect(await store.book(1).value?.title == "New")
            #expect(server.asked == [1, 1])
        }
    }

    @Test("of two pages that use a key, one closes without a refused write, in any order")
    func closingOne() async {
        await Simulation.explore(seeds: seeds(100), timePassesEarly: false) { world in
            world.forbidRefusals()
            let store = try await world.store { Library(Server()) }
            for id in 1...2 { await store.dispatch(Reading.Action.open(.init(id: id, book: 1))) }
            try await world.latency(.seconds(1) ... .seconds(1))

            await store.dispatch(Reading.Action.close(world.random(in: 1...2)))
            await world.settled()

            #expect(await store.book(1).isUsed)
        }
    }

    @Test("pages that open and close leave nothing in use, and nothing fetching, in any order")
    func comings() async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let server = Server(world: world, heedsCancellation: world.fails(0.5))
            var books = Books(server: server)
            books.cancelsUnused = world.fails(0.5)
            let store = try await world.store { [books] in Library(books) }
            for user in 0..<3 {
                world.task("user \(user)") {
                    for round in 0..<2 {
                        let id = user * 10 + round
                        try await world.latency(.zero ... .seconds(2))
                        let page = Reading.Page(id: id, book: world.random(in: 0...1), isPrefetched: world.fails(0.5))
                        await store.dispatch(Reading.Action.open(page))
                        try await world.latency(.zero ... .seconds(5))
                        if world.fails(0.3) { await store.dispatch(Relux.Invalidate(Books.self)) }
                        await store.dispatch(Reading.Action.close(id))
                    }
                }
            }
            await world.settled()

            for id in 0...1 {
                let book = await store.book(id)
                #expect(!book.isUsed)
                #expect(!book.isFetching)
            }
        }
    }

    // MARK: Law 14

    @Test("queries resolve lexically: an instance with a query of its own shares nothing")
    func lexical() async throws {
        struct Own: Relux.Module, Identifiable {
            let id: Int
            let server: Server
            var dependencies: [any Relux.Module] { [Relux.Queries(Books(server: server))] }
            var watchers: [any Relux.Watcher] { [Relux.Using(Books.self, 1)] }
        }
        let servers = (0..<2).map { _ in Server() }
        let store = Relux.Store()
        try await store.register(Own(id: 0, server: servers[0]), Own(id: 1, server: servers[1]))
        for id in 0...1 {
            try await store.scope(of: Own.self, id: id).wait(until: { $0.query(Books.self, 1).value != nil })
        }
        await store.scope(of: Own.self, id: 0).dispatch(Relux.Invalidate(Books.self, 1)).finished()

        #expect(servers[0].asked == [1, 1])
        #expect(servers[1].asked == [1])
        #expect(await store.book(1).value == nil)
    }

    // MARK: Law 15

    @Test("the receipts of an invalidation, a mutation, and an opened page wait for the server, in any order")
    func receipts() async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let server = Server(world: world)
            server.returnsValues = false
            let store = try await world.store { Library(server) }

            await store.dispatch(Reading.Action.open(.init(id: 1, book: 1, isPrefetched: true))).finished()
            #expect(await store.book(1).value == server[1])
            try await store.idle()
            #expect(server.asked == [1])

            server[1]?.title = "New"
            await store.dispatch(Relux.Invalidate(Books.self, 1)).finished()
            #expect(await store.book(1).value == server[1])

            await store.dispatch(Relux.Mutate(Books.self, .star, of: 1)).finished()
            #expect(await store.book(1).value == server[1])
            #expect(await !store.book(1).isInvalid)
        }
    }

    @Test("the first frame of a page knows that its value is being loaded")
    func firstFrame() async throws {
        let gate = Gate()
        let store = try await Relux.Store { Library(Server(gate: gate)) }

        let isLoading = { @Sendable (store: Relux.Store) in
            store.dispatchNow(Reading.Action.open(.init(id: 1, book: 1, isPrefetched: true)))
            return store.readNow { $0.query(Books.self, 1).isLoading }
        }(store)

        #expect(isLoading)
        gate.open()
        try await store.idle()
    }
}

extension Relux.StateReading {
    /// Waits until a selection is true.
    func wait(until isTrue: @escaping @Sendable (borrowing Relux.StateReader) -> Bool) async throws {
        for await value in values({ isTrue($0) }) where value { return }
        throw CancellationError()
    }
}
