import Relux
import ReluxQueries
import ReluxTesting
import Testing

@Suite("Steps of queries", .timeLimit(.minutes(10)))
struct HelpersTests {
    private static let book = Book(id: 1, title: "Book 1", text: "Text")

    @Test("a use, its load, and its end are one line each")
    func use() async throws {
        let store = try await TestStore { Library(Server()) }
        let page = Reading.Page(id: 1, book: 1)

        await store.dispatch(.open(page), to: Reading.self) { $0.pages = [page] }
        await store.receiveUse(Books.self, 1, fetched: Self.book)
        await store.dispatch(.close(1), to: Reading.self) { $0.pages = [] }
        await store.receiveRelease(Books.self, 1)
        await store.finish()
    }

    @Test("a page that prefetches what it uses is one line")
    func prefetchedUse() async throws {
        let store = try await TestStore { Library(Server()) }
        let page = Reading.Page(id: 1, book: 1, isPrefetched: true)

        await store.dispatch(.open(page), to: Reading.self) { $0.pages = [page] }
        await store.receivePrefetchedUse(Books.self, 1, fetched: Self.book)
        await store.finish()
    }

    @Test("a failure, an invalidation, and a mutation are one line each")
    func mutation() async throws {
        let server = Server()
        let store = try await TestStore {
            Library(server); BookPage(id: 1, page: .init(id: 1, book: 1))
        }
        await store.receiveUse(Books.self, 1, fetched: Self.book)

        server.isDown = true
        await store.dispatch(Relux.Invalidate(Books.self, 1))
        await store.receiveRefresh(Books.self, 1)
        await store.receiveFailure(Books.self, 1, .init(Server.Down()))
        server.isDown = false
        await store.dispatch(Relux.Invalidate(Books.self, 1))
        await store.receiveRefresh(Books.self, 1, fetched: Self.book)

        var starred = Self.book
        starred.stars = 1
        await store.dispatch(Relux.Mutate(Books.self, .star, of: 1))
        await store.receiveMutation(Books.self, .star, of: 1, confirmed: starred) { (notices: inout Notices) in
            notices.confirmed = [1]
        }
        await store.receive(Notices.Action.confirmed(1))
        await store.skipRuns()
        await store.finish()
    }

    @Test("a page is one line")
    func page() async throws {
        let server = Server()
        let store = try await TestStore { Library(server) }
        let fetch = await store.perform(Relux.Fetch(Shelf.self, .all))
        let first = Relux.Pages<Shelf.Row, Int>([.init(id: 0), .init(id: 1)], next: 2)
        await store.receiveLoad(
            Shelf.self, .all, first, rows: [.rows(of: Books.self, (0...1).map { ($0, server[$0]!.row) })])
        #expect(try await fetch.output() == first)

        await store.dispatch(Relux.FetchMore(Shelf.self, .all))
        await store.receivePage(
            Shelf.self, .all, .init([.init(id: 2)], previous: 0),
            rows: [.rows(of: Books.self, [(2, server[2]!.row)])])
        await store.finish()
    }

    @Test("another answer than the stated one fails")
    func otherAnswer() async throws {
        let store = try await TestStore {
            Library(Server()); BookPage(id: 1, page: .init(id: 1, book: 1))
        }

        await withKnownIssue {
            await store.receiveUse(Books.self, 1, fetched: Book(id: 1, title: "Other"))
        } matching: {
            "\($0)".contains("as described was expected, but this came: ")
        }
        await store.skipReceived()
        await store.skipRuns()
        await store.finish()
    }
}
