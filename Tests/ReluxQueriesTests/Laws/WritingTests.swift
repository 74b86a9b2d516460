import Relux
import ReluxQueries
import ReluxTesting
import TestFixtures
import Testing

@Suite("Writes and mutations", .timeLimit(.minutes(10)))
struct WritingTests {
    // MARK: Law 3

    enum Write: CaseIterable { case provide, provideFresh, forget, mutation }

    @Test("an answer that was asked for before a write doesn't replace it", arguments: Write.allCases)
    func lateAnswer(_ write: Write) async throws {
        await Simulation.explore(seeds: seeds(50)) { world in
            let server = Server(world: world, heedsCancellation: false)
            let store = try await world.store { Library(server) }
            _ = try await store.perform(Relux.Fetch(Books.self, 1))
            let fetch = world.task("fetch") { _ = try? await store.perform(Relux.Fetch(Books.self, 1, .anew)) }
            try await world.latency(.zero ... .seconds(2))

            server[1]?.stars = 7
            switch write {
            case .provide: await store.dispatch(Relux.Provide(Books.self, server[1]!, for: 1))
            case .provideFresh: await store.dispatch(Relux.Provide(Books.self, server[1]!, for: 1, at: .zero))
            case .forget:
                server[1] = nil
                await store.dispatch(Relux.Forget(Books.self, 1))
            case .mutation: await store.dispatch(Relux.Mutate(Books.self, .star, of: 1)).finished()
            }
            world.always("no old answer") { reader in
                let stars = reader.query(Books.self, 1).value?.stars
                return write == .forget ? stars == nil : stars ?? 0 >= 7
            }
            _ = try? await fetch.value
        }
    }

    @Test("rows of another answer that was asked for before a write don't replace it")
    func lateRows() async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let server = Server(world: world, heedsCancellation: false)
            let store = try await world.store { Library(server) }
            let list = world.task("list") { _ = try await store.perform(Relux.Fetch(Shelf.self, .all)) }
            try await world.latency(.zero ... .seconds(2))

            server[1]?.title = "New"
            await store.dispatch(Relux.Provide(Books.self, server[1]!, for: 1))
            _ = try await list.value

            #expect(await store.book(1).value?.title == "New")
        }
    }

    @Test("rows don't replace an answer that was asked for later, and don't lose its text")
    func rows() async throws {
        let gate = Gate()
        let server = Server(gate: gate)
        let store = try await Relux.Store { Library(server) }
        let list = Task { try await store.perform(Relux.Fetch(Shelf.self, .all)) }
        await gate.arrivals(atLeast: 1)
        gate.letOnePass()
        await gate.arrivals(atLeast: 2)
        server[1]?.title = "New"
        await store.dispatch(Relux.Invalidate(Books.self, 1))
        gate.open()
        _ = try await store.perform(Relux.Fetch(Books.self, 1))
        _ = try await list.value
        #expect(await store.book(1).value?.title == "New")

        _ = try await store.perform(Relux.Fetch(Shelf.self, .all, .anew))

        #expect(await store.book(1).value?.text == "Text")
        #expect(await store.book(0).value == server[0]?.row)
        #expect(await store.book(0).fetchedAt == nil)
    }

    /// Lists that have one row, whose title is the list's number.
    private struct Lists: Relux.Query {
        let gate: Gate
        static var provides: [any Relux.Query.Type] { [Books.self] }

        func fetch(_ number: Int, in request: Relux.QueryRequest) async throws -> Int {
            if number == 1 { await gate.pass() }
            request.provide(Books.self, [(1, Book(id: 1, title: "List \(number)"))])
            return number
        }
    }

    @Test("rows don't replace those that were asked for later")
    func olderRows() async throws {
        let gate = Gate()
        let store = try await Relux.Store { [Relux.Queries(Lists(gate: gate)), Library(Server())] }
        let first = Task { try await store.perform(Relux.Fetch(Lists.self, 1)) }
        await gate.arrivals(atLeast: 1)
        await store.dispatch(Relux.Provide(Books.self, Book(id: 2, title: "Other"), for: 2))
        try await store.perform(Relux.Fetch(Lists.self, 2))

        gate.open()
        _ = try await first.value

        #expect(await store.book(1).value?.title == "List 2")
    }

    @Test(
        "rows and an answer count in the order in which they were asked for, in any order of arrival",
        arguments: [true, false], [true, false])
    func askingOrder(isListFirst: Bool, listArrivesFirst: Bool) async throws {
        let (bookGate, listGate) = (Gate(), Gate())
        let store = try await Relux.Store { [Relux.Queries(Lists(gate: listGate)), Library(Server(gate: bookGate))] }
        var tasks: [Task<Void, any Error>] = []
        for isList in [isListFirst, !isListFirst] {
            tasks.append(
                Task {
                    if isList { return _ = try await store.perform(Relux.Fetch(Lists.self, 1)) }
                    try await store.perform(Relux.Fetch(Books.self, 1))
                })
            await (isList ? listGate : bookGate).arrivals(atLeast: 1)
        }

        for isList in [listArrivesFirst, !listArrivesFirst] {
            (isList ? listGate : bookGate).open()
            try await tasks[isList == isListFirst ? 0 : 1].value
        }

        let book = await store.book(1)
        #expect(book.value == Book(id: 1, title: isListFirst ? "Book 1" : "List 1", text: "Text"))
        #expect(!book.isInvalid)
    }

    @Test("rows that were asked for before a repeated attempt don't replace its answer")
    func rowsBeforeRetry() async throws {
        let (bookGate, listGate) = (Gate(), Gate())
        let server = Server(gate: bookGate)
        var books = Books(server: server)
        books.retry = .constant(.zero, attempts: 2)
        let store = try await Relux.Store { [books] in [Relux.Queries(Lists(gate: listGate)), Library(books)] }
        let fetch = Task { try await store.perform(Relux.Fetch(Books.self, 1)) }
        await bookGate.arrivals(atLeast: 1)
        let list = Task { try await store.perform(Relux.Fetch(Lists.self, 1)) }
        await listGate.arrivals(atLeast: 1)

        server.isDown = true
        bookGate.letOnePass()
        await bookGate.arrivals(atLeast: 2)
        server.isDown = false
        bookGate.letOnePass()
        await bookGate.arrivals(atLeast: 3)
        listGate.open()
        _ = try await list.value
        bookGate.open()

        #expect(try await fetch.value.title == "Book 1")
    }

    // MARK: Law 4

    @Test("a mutation is shown until it is settled, whatever arrives, in any order")
    func shown() async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let server = Server(world: world, heedsCancellation: world.fails(0.5))
            server.returnsValues = world.fails(0.5)
            let store = try await world.store { Library(server) }
            _ = try await store.perform(Relux.Fetch(Books.self, 1))
            world.always("the heart is shown") { reader in
                let book = reader.query(Books.self, 1)
                return book.value?.isFavorite == true || !book.isChanging
            }
            world.task("poll") {
                for _ in 0..<5 {
                    try await world.latency(.zero ... .seconds(1))
                    if world.fails(0.3) { await store.dispatch(Relux.Invalidate(Books.self, 1)) }
                    _ = try await store.perform(Relux.Fetch(Books.self, 1, .anew))
                }
            }
            try await world.latency(.zero ... .seconds(3))
            await store.dispatch(Relux.Mutate(Books.self, .favorite(true), of: 1))
        }
    }

    @Test("after a rejection or a confirmation without a value, the key is asked for again", arguments: [true, false])
    func askedAgain(isRejected: Bool) async throws {
        let server = Server()
        server.returnsValues = false
        server.rejects = isRejected
        let store = try await Relux.Store {
            Library(server); BookPage(id: 1, page: .init(id: 1, book: 1))
        }
        try await store.wait(until: { $0.query(Books.self, 1).fetchedAt != nil })
        try await store.idle()
        let asked = server.asked.count

        await store.dispatch(Relux.Mutate(Books.self, .star, of: 1)).finished()

        #expect(await store.book(1).value?.stars == (isRejected ? 0 : 1))
        #expect(await !store.book(1).isChanging)
        #expect(await !store.book(1).isInvalid)
        #expect(server.asked.count == asked + 1)
        let notices = try await store.state(of: Notices.self)
        #expect(notices == (isRejected ? Notices(rejected: [1]) : Notices(confirmed: [1])))
    }

    @Test("a rejection that causes no action is a failure")
    func thrown() async throws {
        let server = Server()
        server.rejects = true
        var books = Books(server: server)
        books.notices = false
        let store = try await Relux.Store { [books] in Library(books) }
        var failures = store.failures.makeAsyncIterator()

        let outcome = await store.dispatch(Relux.Mutate(Books.self, .star, of: 1)).outcome()

        #expect(await failures.next()?.error is Server.Down)
        if case .success = outcome { Issue.record("the outcome hides the failure") }
    }

    @Test("mutations are sent one after the other, or only the newest of those that wait")
    func order() async throws {
        let gate = Gate()
        let server = Server(gate: gate)
        let store = try await Relux.Store { Library(server) }
        for isOn in [true, false, true] {
            await store.dispatch(Relux.Mutate(Switches.self, .favorite(isOn), of: 1))
        }
        await gate.arrivals(atLeast: 1)
        #expect(server.sent == [.favorite(true)])
        gate.open()
        try await store.idle()
        #expect(server.sent == [.favorite(true), .favorite(true)])

        for _ in 0..<3 { await store.dispatch(Relux.Mutate(Books.self, .star, of: 1)) }
        try await store.idle()
        #expect(server[1]?.stars == 3)
        #expect(await store.book(1).value?.stars == 3)
    }

    @Test("a cancelled mutation is taken back")
    func cancelled() async throws {
        let gate = Gate()
        let server = Server(gate: gate)
        let store = try await Relux.Store { Library(server) }
        await store.dispatch(Relux.Provide(Books.self, server[1]!, for: 1))

        let receipt = await store.dispatch(Relux.Mutate(Books.self, .star, of: 1))
        await gate.arrivals(atLeast: 1)
        #expect(await store.book(1).value?.stars == 1)
        receipt.cancel()

        #expect(await store.book(1).value?.stars == 0)
        #expect(await store.book(1).isInvalid)
        gate.open()
        try await store.idle()
    }

    @Test("what is shown in the end is what the server has, in any order", arguments: [true, false])
    func agreement(isSwitch: Bool) async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let server = Server(books: 1, world: world)
            let store = try await world.store {
                Library(server)
                if isSwitch { SwitchPage() } else { BookPage(id: 1, page: .init(id: 1, book: 0)) }
            }
            // Switches let a rejection be a failure of the run.
            if isSwitch { world.expectFailure(Server.Down.self) }
            for user in 0..<2 {
                world.task("user \(user)") {
                    for _ in 0..<3 {
                        try await world.latency(.zero ... .seconds(3))
                        server.returnsValues = world.fails(0.5)
                        server.rejects = world.fails(0.3)
                        let isOn = world.fails(0.5)
                        if isSwitch {
                            await store.dispatch(Relux.Mutate(Switches.self, .favorite(isOn), of: 0))
                        } else {
                            await store.dispatch(Relux.Mutate(Books.self, .favorite(isOn), of: 0))
                        }
                    }
                }
            }
            await world.settled()

            let shown = await isSwitch ? store.query(Switches.self, 0) : store.book(0)
            #expect(shown.value == server[0])
            #expect(!shown.isChanging)
        }
    }

    private struct SwitchPage: Relux.Module {
        var watchers: [any Relux.Watcher] { [Relux.Using(Switches.self, 0)] }
    }
}
