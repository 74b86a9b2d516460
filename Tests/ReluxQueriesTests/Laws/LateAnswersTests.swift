import Relux
import ReluxPersistence
import ReluxTesting
import TestFixtures
import Testing

@testable import ReluxQueries

/// Answers that arrive after something that the server may not have known of.
@Suite("Late answers", .timeLimit(.minutes(10)))
struct LateAnswersTests {
    private let gate = Gate()

    /// A store of books that are fresh for a minute, with the value of the first one.
    private func store(_ server: Server) async throws -> Relux.Store {
        var books = Books(server: server)
        books.staleAfter = .seconds(60)
        let store = try await Relux.Store(.init(clock: ManualClock())) { [books] in Library(books) }
        let book = try #require(server[1])
        await store.dispatch(Relux.Provide(Books.self, book, for: 1, at: .zero))
        return store
    }

    @Test(
        "the answer to a mutation doesn't replace what was invalidated or pushed meanwhile", arguments: [true, false])
    func mutation(isPushed: Bool) async throws {
        let server = Server(gate: gate)
        let store = try await store(server)
        await store.dispatch(Relux.Mutate(Books.self, .star, of: 1))
        await gate.arrivals(atLeast: 1)
        gate.letOnePass()
        await gate.arrivals(atLeast: 2)

        server[1]?.title = "New"
        if isPushed {
            let new = try #require(server[1])
            await store.dispatch(Relux.Provide(Books.self, new, for: 1, at: .zero))
        } else {
            await store.dispatch(Relux.Invalidate(Books.self, 1))
        }
        gate.open()
        try await store.idle()

        #expect(await store.book(1).isInvalid)
        if isPushed { #expect(await store.book(1).value?.title == "New") }
        #expect(try await store.perform(Relux.Fetch(Books.self, 1)).title == "New")
    }

    @Test("a push without a time is no answer to a request")
    func push() async throws {
        let server = Server(gate: gate)
        let store = try await store(server)
        let fetch = Task { try await store.perform(Relux.Fetch(Books.self, 1, .anew)) }
        await gate.arrivals(atLeast: 1)

        await store.dispatch(Relux.Provide(Books.self, Book(id: 1, title: "Row", text: ""), for: 1))
        gate.open()
        _ = try await fetch.value

        #expect(server.asked == [1, 1])
    }

    @Test("a mutation of a key without a record is confirmed, although another one was forgotten")
    func confirmation() async throws {
        let server = Server(gate: gate)
        let store = try await store(server)
        let receipt = await store.dispatch(Relux.Mutate(Books.self, .star, of: 2))
        await gate.arrivals(atLeast: 1)

        await store.dispatch(Relux.Forget(Books.self, 1))
        await store.dispatch(Relux.Evict(Books.self))
        gate.open()
        await receipt.finished()

        #expect(await store.book(2).value?.stars == 1)
    }

    @Test("an answer that doesn't count separates no requests")
    func uncounted() {
        var state = Relux.QueryState<Books>()
        state.reduce(Relux.QueryEvent<Books>.failed(1, Relux.QueryFailure(Server.Down()), turn: 0))
        state.reduce(Relux.Invalidate(Books.self, 1))
        let turn = state.turn(of: 1)

        let stamp = Relux.QueryStamp(turn: 1, began: 1, time: .zero)
        state.reduce(.fetched(1, Book(id: 1, title: "", text: ""), stamp))
        state.reduce(.failed(1, Relux.QueryFailure(Server.Down()), turn: 1))

        #expect(state.turn(of: 1) == turn)
    }

    @Test("the writes of very many removed keys take no room, and still count")
    func removedWrites() {
        var state = Relux.QueryState<Books>()
        let ids = Array(0...1_000)
        for id in ids { state.reduce(Relux.Provide(Books.self, Book(id: id, title: "Pushed"), for: id)) }

        state.reduce(Relux.QueryEvent<Books>.evicted(ids))

        #expect(state.removedWrites.isEmpty)
        #expect(state.floor(of: 0) == state.time)
    }
}
