import Relux
import ReluxQueries
import ReluxTesting
import TestFixtures
import Testing

@Suite("Pages", .timeLimit(.minutes(10)))
struct PagesTests {
    private func library(_ server: Server, _ change: (inout Shelf) -> Void = { _ in }) -> Library {
        var library = Library(server)
        var shelf = Shelf(server: server)
        change(&shelf)
        library.shelf = shelf
        return library
    }

    // MARK: Law 11

    @Test("pages are appended to the end of the list")
    func appended() async throws {
        let server = Server(books: 5)
        let store = try await Relux.Store { library(server) }
        try await store.perform(Relux.Fetch(Shelf.self, .all))
        for _ in 0..<4 { await store.dispatch(Relux.FetchMore(Shelf.self, .all)).finished() }

        let list = await store.query(Shelf.self, .all)
        #expect(list.value?.elements.ids == [0, 1, 2, 3, 4])
        #expect(list.value?.hasMore == false)
        #expect(list.value?.pageCount == 3)
        #expect(!list.isFetchingMore)
        #expect(server.listed == [0, 2, 4])
        #expect(await store.book(4).value?.title == "Book 4")
    }

    @Test("no element twice, no late page of an older list, nothing stuck, in any order")
    func anyOrder() async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let server = Server(books: 6, world: world, heedsCancellation: world.fails(0.5))
            let store = try await world.store { library(server) { if world.fails(0.5) { $0.refresh = .all } } }
            world.always("no gaps") { reader in
                let ids = reader.query(Shelf.self, .all).value?.elements.ids ?? []
                return ids == Array(0..<ids.count)
            }
            for user in 0..<2 {
                world.task("user \(user)") {
                    for _ in 0..<4 {
                        try await world.latency(.zero ... .seconds(3))
                        switch world.random(in: 0...3) {
                        case 0: await store.dispatch(Relux.Invalidate(Shelf.self))
                        case 1: _ = try await store.perform(Relux.Fetch(Shelf.self, .all, .anew))
                        default: await store.dispatch(Relux.FetchMore(Shelf.self, .all))
                        }
                    }
                }
            }
            await world.settled()

            let list = await store.query(Shelf.self, .all)
            #expect(!list.isFetching && !list.isFetchingMore)
        }
    }

    @Test("each wish for more is fetched once, and none is lost during a refresh")
    func wishes() async {
        await Simulation.explore(seeds: seeds(50), timePassesEarly: false) { world in
            let server = Server(books: 6, world: world)
            let store = try await world.store { library(server) }
            try await store.perform(Relux.Fetch(Shelf.self, .all))

            let refresh = world.task("refresh") { _ = try await store.perform(Relux.Fetch(Shelf.self, .all, .anew)) }
            try await store.wait(until: { $0.query(Shelf.self, .all).isFetching })
            for _ in 0..<3 { await store.dispatch(Relux.FetchMore(Shelf.self, .all)) }
            _ = try await refresh.value
            await world.settled()

            #expect(await store.query(Shelf.self, .all).value?.elements.ids == [0, 1, 2, 3])
            #expect(server.listed == [0, 0, 2])
        }
    }

    @Test("a refresh has the first page, or all pages together", arguments: [Relux.PagesRefresh.first, .all])
    func refresh(_ refresh: Relux.PagesRefresh) async throws {
        let server = Server(books: 5)
        let store = try await Relux.Store { library(server) { $0.refresh = refresh } }
        try await store.perform(Relux.Fetch(Shelf.self, .all))
        await store.dispatch(Relux.FetchMore(Shelf.self, .all)).finished()

        try await store.perform(Relux.Fetch(Shelf.self, .all, .anew))

        let list = await store.query(Shelf.self, .all).value
        #expect(list?.elements.ids == (refresh == .first ? [0, 1] : [0, 1, 2, 3]))
    }

    @Test("a page of a list that has been replaced hasn't failed")
    func failureOfReplacedList() async throws {
        let server = Server(books: 4)
        let store = try await Relux.Store { library(server) }
        let list = try await store.perform(Relux.Fetch(Shelf.self, .all))
        server.isDown = true
        await store.dispatch(Relux.FetchMore(Shelf.self, .all)).finished()

        await store.dispatch(Relux.Provide(Shelf.self, list, for: .all))

        #expect(await store.query(Shelf.self, .all).moreFailure == nil)
    }

    @Test("a page that fails keeps the list, and the next wish asks for it again")
    func failure() async throws {
        let server = Server(books: 4)
        let store = try await Relux.Store { library(server) }
        try await store.perform(Relux.Fetch(Shelf.self, .all))
        server.isDown = true
        await store.dispatch(Relux.FetchMore(Shelf.self, .all)).finished()
        var list = await store.query(Shelf.self, .all)
        #expect(list.moreFailure == Relux.QueryFailure(Server.Down()))
        #expect(list.failure == nil && !list.isFetchingMore)
        #expect(list.value?.elements.count == 2)

        server.isDown = false
        await store.dispatch(Relux.FetchMore(Shelf.self, .all)).finished()

        list = await store.query(Shelf.self, .all)
        #expect(list.moreFailure == nil)
        #expect(list.value?.elements.count == 4)
    }

    /// Pages 0 to 3, of which those in the middle are empty. In a circle, the last one leads back to them.
    private struct Gaps: Relux.PagedQuery {
        struct Row: Identifiable, Hashable, Sendable { let id: Int }

        let isCircle: Bool
        let asked = Shared(0)

        func fetchPage(of key: Int, at cursor: Int?, in request: Relux.QueryRequest) async throws
            -> Relux.Pages<Row, Int>
        {
            asked.change { $0 += 1 }
            guard asked.value < 20 else { throw Server.Down() }
            let page = cursor ?? 0
            let next = page < 3 ? page + 1 : isCircle ? 1 : nil
            return .init(page == 1 || page == 2 ? [] : [Row(id: page)], next: next)
        }
    }

    @Test("an empty page with a cursor continues, unless it leads back", arguments: [false, true])
    func emptyPages(isCircle: Bool) async throws {
        let store = try await Relux.Store { Relux.Queries(Gaps(isCircle: isCircle)) }
        try await store.perform(Relux.Fetch(Gaps.self, 0))

        for _ in 0..<2 { await store.dispatch(Relux.FetchMore(Gaps.self, 0)).finished() }

        let list = await store.query(Gaps.self, 0)
        #expect(list.value?.elements.ids == [0, 3])
        #expect(list.value?.hasMore == false && list.moreFailure == nil)
        #expect(!list.isFetchingMore)
    }

    @Test("with a greatest number of pages, the other end is dropped, and can be fetched again")
    func pageLimit() async throws {
        let server = Server(books: 8)
        let store = try await Relux.Store { library(server) { $0.pageLimit = 2 } }
        try await store.perform(Relux.Fetch(Shelf.self, .all))
        for _ in 0..<2 { await store.dispatch(Relux.FetchMore(Shelf.self, .all)).finished() }
        var list = await store.query(Shelf.self, .all).value
        #expect(list?.elements.ids == [2, 3, 4, 5])
        #expect(list?.hasPrevious == true)

        await store.dispatch(Relux.FetchMore(Shelf.self, .all, .previous)).finished()

        list = await store.query(Shelf.self, .all).value
        #expect(list?.elements.ids == [0, 1, 2, 3])
        #expect(list?.hasPrevious == false && list?.hasMore == true)
    }

    @Test("a wish at the end of the list does nothing")
    func end() async throws {
        let server = Server(books: 2)
        let store = try await TestStore { library(server) }
        let fetch = await store.perform(Relux.Fetch(Shelf.self, .all))
        let page = Relux.Pages<Shelf.Row, Int>([.init(id: 0), .init(id: 1)])
        let rows = (0..<2).map { ($0, server[$0]!.row) }
        await store.receiveLoad(Shelf.self, .all, page, rows: [.rows(of: Books.self, rows)])
        #expect(try await fetch.output() == page)

        await store.dispatch(Relux.FetchMore(Shelf.self, .all))

        await store.finish()
    }

    /// Pages of two numbers each, of which the second is also the first one of the next page.
    private struct Overlapping: Relux.PagedQuery {
        struct Row: Identifiable, Hashable, Sendable { let id: Int }

        var pageLimit: Int { 2 }

        func fetchPage(of key: Int, at cursor: Int?, in request: Relux.QueryRequest) async throws
            -> Relux.Pages<Row, Int>
        {
            let first = cursor ?? 0
            return .init([Row(id: first), Row(id: first + 1)], next: first + 1, previous: first > 0 ? first - 1 : nil)
        }
    }

    @Test("a page that is dropped leaves the rows that another page has, too")
    func overlappingPages() async throws {
        let store = try await Relux.Store { Relux.Queries(Overlapping()) }
        try await store.perform(Relux.Fetch(Overlapping.self, 0))
        for _ in 0..<2 { await store.dispatch(Relux.FetchMore(Overlapping.self, 0)).finished() }
        #expect(await store.query(Overlapping.self, 0).value?.elements.ids == [1, 2, 3])

        await store.dispatch(Relux.FetchMore(Overlapping.self, 0, .previous)).finished()

        #expect(await store.query(Overlapping.self, 0).value?.elements.ids == [0, 1, 2])
    }

    /// Pages of which the last one has a row of the first one again, because the row has moved.
    private struct Moving: Relux.PagedQuery {
        struct Row: Identifiable, Hashable, Sendable { let id: Int }

        var pageLimit: Int { 2 }

        func fetchPage(of key: Int, at cursor: Int?, in request: Relux.QueryRequest) async throws
            -> Relux.Pages<Row, Int>
        {
            let pages = [[0, 1], [2, 3], [1, 4]]
            let number = cursor ?? 0
            return .init(pages[number].map { Row(id: $0) }, next: number < 2 ? number + 1 : nil)
        }
    }

    @Test("a row that only another page still has gets its place there")
    func movedRow() async throws {
        let store = try await Relux.Store { Relux.Queries(Moving()) }
        try await store.perform(Relux.Fetch(Moving.self, 0))

        for _ in 0..<2 { await store.dispatch(Relux.FetchMore(Moving.self, 0)).finished() }

        #expect(await store.query(Moving.self, 0).value?.elements.ids == [2, 3, 1, 4])
    }

    /// An answer that has the shelf's first page as well.
    private struct Home: Relux.Query {
        static var provides: [any Relux.Query.Type] { [Shelf.self] }

        func fetch(_ key: Int, in request: Relux.QueryRequest) async throws -> Int {
            request.provide(Shelf.self, [(.all, .init([.init(id: 9)], next: 2))])
            return key
        }
    }

    @Test("a page of a list that another answer has replaced isn't added, and is asked for again")
    func providedList() async throws {
        let gate = Gate()
        let server = Server(books: 4, gate: gate)
        let store = try await Relux.Store { [Relux.Queries(Home()), library(server)] }
        let fetch = Task { try await store.perform(Relux.Fetch(Shelf.self, .all)) }
        await gate.arrivals(atLeast: 1)
        gate.letOnePass()
        await gate.arrivals(atLeast: 2)
        gate.letOnePass()
        _ = try await fetch.value
        let more = await store.dispatch(Relux.FetchMore(Shelf.self, .all))
        await gate.arrivals(atLeast: 3)

        try await store.perform(Relux.Fetch(Home.self, 0))
        gate.open()
        await more.finished()

        #expect(server.listed == [0, 2, 2])
        #expect(await store.query(Shelf.self, .all).value?.elements.ids == [9, 2, 3])
    }

    @Test(
        "a page of a list that has been replaced neither fails nor is repeated for the new one",
        arguments: [true, false])
    func failureOfReplacedList(isRepeated: Bool) async throws {
        let (server, gate) = (Server(books: 6), Gate())
        let store = try await Relux.Store {
            library(server) { if isRepeated { $0.retry = .constant(.zero, attempts: 9) } }
        }
        try await store.perform(Relux.Fetch(Shelf.self, .all))
        server.gate = gate
        let more = await store.dispatch(Relux.FetchMore(Shelf.self, .all))
        await gate.arrivals(atLeast: 1)
        server.isDown = true

        await store.dispatch(Relux.Provide(Shelf.self, .init([.init(id: 9)], next: 4), for: .all))
        gate.letOnePass()
        await gate.arrivals(atLeast: 2)
        server.isDown = false
        gate.open()
        await more.finished()

        #expect(server.listed == [0, 2, 4])
        let list = await store.query(Shelf.self, .all)
        #expect(list.value?.elements.ids == [9, 4, 5])
        #expect(list.moreFailure == nil && !list.isFetchingMore)
    }

    /// Two pages of one row each, all of which a mutation marks.
    private struct Marks: Relux.PagedQuery {
        struct Row: Identifiable, Hashable, Sendable {
            let id: Int
            var isMarked: Bool
        }

        struct Mutation: Relux.Mutation, Equatable {
            func apply(to list: inout Relux.Pages<Row, Int>) {
                for id in list.elements.ids { list.elements[id: id]?.isMarked = true }
            }
        }

        let gate: Gate
        let areMarked = Shared(false)

        func fetchPage(
            of key: Int, at cursor: Int?, in request: Relux.QueryRequest
        ) async throws -> Relux.Pages<Row, Int> {
            let row = Row(id: cursor ?? 0, isMarked: areMarked.value)
            if cursor != nil { await gate.pass() }
            return .init([row], next: cursor == nil ? 1 : nil)
        }

        func send(
            _ mutation: Mutation, to key: Int, in context: Relux.SagaContext
        ) async throws -> Relux.Pages<Row, Int>? {
            areMarked.value = true
            return nil
        }
    }

    @Test("a page that was asked for before a confirmed mutation isn't added, and is asked for again")
    func mutatedList() async throws {
        let gate = Gate()
        let store = try await Relux.Store { Relux.Queries(Marks(gate: gate)) }
        try await store.perform(Relux.Fetch(Marks.self, 0))
        let more = await store.dispatch(Relux.FetchMore(Marks.self, 0))
        await gate.arrivals(atLeast: 1)

        await store.dispatch(Relux.Mutate(Marks.self, .init(), of: 0)).finished()
        gate.open()
        await more.finished()

        #expect(await store.query(Marks.self, 0).value?.elements.map(\.isMarked) == [true, true])
    }

    // MARK: Callers that leave

    @Test(
        "a cancelled caller takes no page from the others, and the last one takes the request along",
        arguments: 0..<3)
    func cancelledCallers(remaining: Int) async throws {
        let gate = Gate()
        let server = Server(books: 4)
        let store = try await Relux.Store { library(server) }
        try await store.perform(Relux.Fetch(Shelf.self, .all))
        server.gate = gate
        var wishes = store.actionStream(of: Relux.FetchMore<Shelf>.self).makeAsyncIterator()
        var callers: [Task<Void, any Error>] = []
        for _ in 1...2 {
            callers.append(Task { try await store.perform(Relux.FetchMore(Shelf.self, .all)) })
            _ = await wishes.next()
        }
        await gate.arrivals(atLeast: 1)

        for (number, caller) in callers.enumerated() where number != remaining { caller.cancel() }
        if remaining < 2 {
            _ = await callers[1 - remaining].result
            #expect(await store.query(Shelf.self, .all).isFetchingMore)
        } else {
            try await store.wait(until: { !$0.query(Shelf.self, .all).isFetchingMore })
        }
        gate.open()
        if remaining < 2 { try await callers[remaining].value }
        try await store.idle()

        let list = await store.query(Shelf.self, .all)
        #expect(list.value?.elements.count == (remaining < 2 ? 4 : 2))
        #expect(!list.isFetchingMore)
        #expect(server.listed == [0, 2])
    }

    @Test("whoever waits for a page gets one, in any order, although others cancel, and the list is replaced")
    func waiters() async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let server = Server(books: 40, world: world, heedsCancellation: world.fails(0.5))
            let store = try await world.store { library(server) { $0.refresh = .all } }
            try await store.perform(Relux.Fetch(Shelf.self, .all))
            let isReplaced = world.fails(0.5)
            for user in 0..<4 {
                let caller = world.task("user \(user)") {
                    for _ in 0..<2 {
                        try await world.latency(.zero ... .seconds(2))
                        let before = await store.query(Shelf.self, .all).value?.pageCount ?? 0
                        try await store.perform(Relux.FetchMore(Shelf.self, .all))
                        #expect(await store.query(Shelf.self, .all).value?.pageCount ?? 0 > before)
                    }
                }
                if user > 1 {
                    world.task("impatience \(user)") {
                        try await world.latency(.zero ... .seconds(4))
                        caller.cancel()
                    }
                }
            }
            if isReplaced {
                world.task("refresh") {
                    try await world.latency(.zero ... .seconds(4))
                    _ = try await store.perform(Relux.Fetch(Shelf.self, .all, .anew))
                }
            }
            await world.settled()

            #expect(await !store.query(Shelf.self, .all).isFetchingMore)
        }
    }

    // MARK: Pages and refreshes

    @Test("a refresh of all pages includes one that arrives meanwhile")
    func pageDuringRefresh() async throws {
        let gate = Gate()
        let server = Server(books: 8)
        let store = try await Relux.Store { library(server) { $0.refresh = .all } }
        try await store.perform(Relux.Fetch(Shelf.self, .all))
        await store.dispatch(Relux.FetchMore(Shelf.self, .all)).finished()
        server.gate = gate
        let more = await store.dispatch(Relux.FetchMore(Shelf.self, .all))
        await gate.arrivals(atLeast: 1)
        let refresh = Task { try await store.perform(Relux.Fetch(Shelf.self, .all, .anew)) }
        await gate.arrivals(atLeast: 2)

        gate.letOnePass()
        await gate.arrivals(atLeast: 3)
        // The refresh has read its first page, too.
        gate.letOnePass()
        await gate.arrivals(atLeast: 4)
        gate.letOnePass()
        await more.finished()
        #expect(await store.query(Shelf.self, .all).value?.pageCount == 3)
        gate.open()

        #expect(try await refresh.value.pageCount == 3)
        #expect(server.listed == [0, 2, 4, 0, 2, 4])
    }

    @Test("a refresh of all pages loses none, in any order")
    func refreshOfAll() async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let server = Server(books: 40, world: world, heedsCancellation: world.fails(0.5))
            let store = try await world.store { library(server) { $0.refresh = .all } }
            let most = Shared(0)
            world.always("the list doesn't become shorter") { reader in
                let count = reader.query(Shelf.self, .all).value?.pageCount ?? 0
                let isLonger = count >= most.value
                most.change { $0 = max($0, count) }
                return isLonger
            }
            for user in 0..<2 {
                world.task("user \(user)") {
                    for _ in 0..<4 {
                        try await world.latency(.zero ... .seconds(3))
                        switch world.random(in: 0...3) {
                        case 0: await store.dispatch(Relux.Invalidate(Shelf.self))
                        case 1: _ = try await store.perform(Relux.Fetch(Shelf.self, .all, .anew))
                        default: await store.dispatch(Relux.FetchMore(Shelf.self, .all))
                        }
                    }
                }
            }
        }
    }

    private struct ListPage: Relux.Module {
        var watchers: [any Relux.Watcher] { [Relux.Using(Shelf.self, .all)] }
    }

    @Test(
        "a wish that waits for a list survives its invalidation, and asks with the new cursor",
        arguments: [true, false], [true, false])
    func invalidated(isUsed: Bool, isThere: Bool) async throws {
        let server = Server(books: 6)
        let store = try await Relux.Store { library(server) }
        if isThere { try await store.perform(Relux.Fetch(Shelf.self, .all)) }
        let gate = Gate()
        server.gate = gate
        let fetch = isUsed ? nil : Task { try await store.perform(Relux.Fetch(Shelf.self, .all)) }
        if isUsed { try await store.register(ListPage()) }
        await gate.arrivals(atLeast: 1)
        let more = await store.dispatch(Relux.FetchMore(Shelf.self, .all))

        await store.dispatch(Relux.Invalidate(Shelf.self, .all))
        gate.open()
        await more.finished()
        _ = try await fetch?.value

        #expect(await store.query(Shelf.self, .all).value?.elements.ids == [0, 1, 2, 3])
        #expect(server.listed == (isThere ? [0] : []) + [0, 0, 2])
    }

    @Test("a wish for a list that somebody is about to ask for isn't lost, in any order")
    func invalidatedInAnyOrder() async {
        await Simulation.explore(seeds: seeds(50), timePassesEarly: false) { world in
            let server = Server(books: 6, world: world, heedsCancellation: world.fails(0.5))
            let store = try await world.store { library(server) { $0.refresh = .all } }
            if world.fails(0.5) {
                try await store.register(ListPage())
            } else {
                world.task("fetch") { _ = try await store.perform(Relux.Fetch(Shelf.self, .all)) }
            }
            try await store.wait(until: { $0.query(Shelf.self, .all).isFetching })
            await store.dispatch(Relux.FetchMore(Shelf.self, .all))
            for _ in 0..<2 {
                await store.dispatch(Relux.Invalidate(Shelf.self, .all))
                if world.fails(0.5) { try await world.latency(.zero ... .seconds(2)) }
            }
            await world.settled()

            let list = await store.query(Shelf.self, .all)
            #expect(list.value?.elements.ids == [0, 1, 2, 3])
            #expect(!list.isFetchingMore)
        }
    }
}
