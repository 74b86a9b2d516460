import Relux
import ReluxQueries
import Testing

@Suite("Forms")
struct FormsTests {
    private typealias Invalidated = Relux.Invalidate<Books>

    private let book = Book(id: 1, title: "Book")

    @Test("an action or effect says the same with its query as an argument and as a parameter of its type")
    func bothForms() {
        #expect(Relux.Fetch<Books>(1) == Relux.Fetch(Books.self, 1))
        #expect(Relux.Fetch<Books>(1, .anew) == Relux.Fetch(Books.self, 1, .anew))
        #expect(Relux.Prefetch<Books>(1) == Relux.Prefetch(Books.self, 1))
        #expect(Relux.FetchMore<Shelf>(.all) == Relux.FetchMore(Shelf.self, .all))
        #expect(Relux.FetchMore<Shelf>(.all, .previous) == Relux.FetchMore(Shelf.self, .all, .previous))
        #expect(Relux.Recheck<Books>() == Relux.Recheck(Books.self))
        #expect(Relux.Provide<Books>(book, for: 1) == Relux.Provide(Books.self, book, for: 1))
        #expect(Relux.Provide<Books>(book, for: 1, at: .zero) == Relux.Provide(Books.self, book, for: 1, at: .zero))
        #expect(Relux.Forget<Books>(1) == Relux.Forget(Books.self, 1))
        #expect(Relux.Evict<Books>() == Relux.Evict(Books.self))
        #expect(Relux.Mutate<Books>(.star, of: 1) == Relux.Mutate(Books.self, .star, of: 1))
    }

    @Test(
        "an invalidation names all keys, some, or those that match, in both forms",
        arguments: [
            (Invalidated(), [0, 1, 2]), (.init(Books.self), [0, 1, 2]), (.init(1), [1]), (.init(Books.self, 1), [1]),
            (.init(0, 2), [0, 2]), (.init(Books.self, 0, 2), [0, 2]), (.init { $0 > 0 }, [1, 2]),
            (.init(where: { $0 > 0 }), [1, 2]), (.init(Books.self, where: { $0 > 0 }), [1, 2]),
        ])
    private func invalidations(_ invalidation: Invalidated, _ invalid: [Int]) async throws {
        let store = try await Relux.Store { Relux.Queries(Books(server: Server())) }
        for id in 0..<3 { await store.dispatch(Relux.Provide<Books>(book, for: id, at: .zero)) }

        await store.dispatch(invalidation)

        #expect(await store.read { reader in (0..<3).filter { reader.query(Books.self, $0).isInvalid } } == invalid)
    }

    @Test("a use takes a key or a selection of keys, in both forms")
    func uses() async throws {
        struct Page: Relux.Module {
            var watchers: [any Relux.Watcher] {
                [
                    Relux.Using<Books>(0), Relux.Using(Books.self, 1), Relux.Using<Books>(2, fetching: false),
                    Relux.Using(Books.self, 3, every: .seconds(30), fetching: false), Relux.Using<Books> { _ in [4] },
                    Relux.Using<Books>(every: .seconds(30), fetching: false) { _ in [5] },
                    Relux.Using(Books.self) { _ in [6] },
                ]
            }
        }
        let store = try await Relux.Store {
            Relux.Queries(Books(server: Server(books: 8)))
            Page()
        }

        for try await used in store.values({ reader in (0..<8).filter { reader.query(Books.self, $0).isUsed } })
        where used == Array(0..<7) { break }
        await store.shutdown()
    }
}
