import Relux
import ReluxQueries
import ReluxTesting
import TestFixtures

/// A server with books, which tests stop, change, and let fail.
final class Server: Sendable {
    struct Down: Error, Equatable {}

    private struct Contents {
        var books: [Int: Book] = [:]
        var asked: [Int] = []
        var listed: [Int] = []
        var sent: [Change] = []
        var isDown = false
        var rejects = false
        var returnsValues = true
        var gate: Gate?
    }

    private let contents: Lock<Contents>
    let world: Simulation.World?
    /// Whether requests that were cancelled are answered all the same.
    let heedsCancellation: Bool

    init(
        books: Int = 3, gate: Gate? = nil, world: Simulation.World? = nil, heedsCancellation: Bool = true
    ) {
        let all = (0..<max(books, 1)).map { ($0, Book(id: $0, title: "Book \($0)", text: "Text")) }
        contents = Lock(Contents(books: Dictionary(uniqueKeysWithValues: books == 0 ? [] : all), gate: gate))
        self.world = world
        self.heedsCancellation = heedsCancellation
    }

    /// The keys that were asked for, in order.
    var asked: [Int] { contents.withLock { $0.asked } }
    /// The cursors of the pages that were asked for, in order.
    var listed: [Int] { contents.withLock { $0.listed } }
    var sent: [Change] { contents.withLock { $0.sent } }
    var isDown: Bool {
        get { contents.withLock { $0.isDown } }
        set { contents.withLock { $0.isDown = newValue } }
    }
    var rejects: Bool {
        get { contents.withLock { $0.rejects } }
        set { contents.withLock { $0.rejects = newValue } }
    }
    var returnsValues: Bool {
        get { contents.withLock { $0.returnsValues } }
        set { contents.withLock { $0.returnsValues = newValue } }
    }

    /// Stops requests, twice each: before they read, and before they answer.
    var gate: Gate? {
        get { contents.withLock { $0.gate } }
        set { contents.withLock { $0.gate = newValue } }
    }

    subscript(id: Int) -> Book? {
        get { contents.withLock { $0.books[id] } }
        set { contents.withLock { $0.books[id] = newValue } }
    }

    func book(_ id: Int) async throws -> Book {
        contents.withLock { $0.asked.append(id) }
        try await pause()
        // Read after the first pause, so that an answer shows a moment between the request and its arrival.
        let (book, isDown) = contents.withLock { ($0.books[id], $0.isDown) }
        try await pause()
        guard !isDown, let book else { throw Down() }
        return book
    }

    func list(from start: Int, _ count: Int) async throws -> (books: [Book], next: Int?) {
        contents.withLock { $0.listed.append(start) }
        try await pause()
        let (books, isDown) = contents.withLock { ($0.books, $0.isDown) }
        try await pause()
        guard !isDown else { throw Down() }
        let ids = books.keys.sorted()
        let page = ids.dropFirst(start).prefix(count).compactMap { books[$0] }.map(\.row)
        return (page, start + count < ids.count ? start + count : nil)
    }

    func change(_ id: Int, _ change: Change) async throws -> Book? {
        contents.withLock { $0.sent.append(change) }
        try await pause()
        let (book, isRejected) = contents.withLock { contents -> (Book?, Bool) in
            guard !contents.rejects, var book = contents.books[id] else { return (nil, true) }
            change.apply(to: &book)
            contents.books[id] = book
            return (contents.returnsValues ? book : nil, false)
        }
        try await pause()
        if isRejected { throw Down() }
        return book
    }

    private func pause() async throws {
        await gate?.pass()
        try await world?.latency(.zero ... .seconds(2), heedsCancellation: heedsCancellation)
    }
}

struct Book: Identifiable, Hashable, Sendable, Codable {
    let id: Int
    var title: String
    var text: String?
    var isFavorite = false
    var stars = 0

    /// Lists have no texts.
    var row: Book {
        var row = self
        row.text = nil
        return row
    }
}

enum Change: Relux.Mutation, Hashable {
    case favorite(Bool), star

    func apply(to book: inout Book) {
        switch self {
        case .favorite(let isOn): book.isFavorite = isOn
        case .star: book.stars += 1
        }
    }
}

struct Books: Relux.Query {
    let server: Server
    var staleAfter = Duration.zero
    var keptFor = Duration.seconds(300)
    var unusedLimit = Int.max
    var retry: Relux.RetrySchedule?
    var cancelsUnused = true
    /// Whether rejections are taken by an action instead of thrown.
    var notices = true

    func fetch(_ id: Int, in request: Relux.QueryRequest) async throws -> Book { try await server.book(id) }

    static func merge(_ provided: Book, into present: Book) -> Book {
        var book = provided
        book.text = book.text ?? present.text
        return book
    }

    func send(_ change: Change, to id: Int, in context: Relux.SagaContext) async throws -> Book? {
        try await server.change(id, change)
    }

    func actions(confirming mutation: Change, of key: Int) -> [any Relux.Action] { [Notices.Action.confirmed(key)] }

    func actions(
        rejecting mutation: Change, of key: Int, because failure: Relux.QueryFailure
    ) -> [any Relux.Action]? { notices ? [Notices.Action.rejected(key)] : nil }
}

/// The same books, of which only the newest of several waiting mutations is sent.
struct Switches: Relux.Query {
    let server: Server
    static var mutationOrder: Relux.MutationOrder { .newest }

    func fetch(_ id: Int, in request: Relux.QueryRequest) async throws -> Book { try await server.book(id) }

    func send(_ change: Change, to id: Int, in context: Relux.SagaContext) async throws -> Book? {
        try await server.change(id, change)
    }
}

struct Shelf: Relux.PagedQuery {
    enum Key: Hashable, Sendable, Codable { case all }
    struct Row: Identifiable, Hashable, Sendable, Codable { let id: Int }

    let server: Server
    var pageSize = 2
    var staleAfter = Duration.zero
    var retry: Relux.RetrySchedule?
    var refresh = Relux.PagesRefresh.first
    var pageLimit = Int.max

    static var provides: [any Relux.Query.Type] { [Books.self] }

    func fetchPage(
        of key: Key, at cursor: Int?, in request: Relux.QueryRequest
    ) async throws -> Relux.Pages<Row, Int> {
        let start = cursor ?? 0
        let list = try await server.list(from: start, pageSize)
        request.provide(Books.self, list.books.map { ($0.id, $0) })
        return .init(
            list.books.map { Row(id: $0.id) }, next: list.next, previous: start > 0 ? start - pageSize : nil)
    }
}

struct Notices: Relux.State {
    var confirmed: [Int] = []
    var rejected: [Int] = []

    enum Action: Relux.Action, Hashable { case confirmed(Int), rejected(Int) }

    mutating func reduce(_ action: Action) {
        switch action {
        case .confirmed(let id): confirmed.append(id)
        case .rejected(let id): rejected.append(id)
        }
    }
}

/// Pages that show one book each, identified by a number of their own.
struct Reading: Relux.State {
    struct Page: Identifiable, Hashable, Sendable {
        let id: Int
        let book: Int
        var isPrefetched = false
    }

    var pages: [Page] = []

    enum Action: Relux.Action, Hashable { case open(Page), close(Int) }

    mutating func reduce(_ action: Action) {
        switch action {
        case .open(let page): pages.append(page)
        case .close(let id): pages.removeAll { $0.id == id }
        }
    }
}

struct BookPage: Relux.Module, Identifiable {
    let id: Int
    let page: Reading.Page

    var watchers: [any Relux.Watcher] { [Relux.Using(Books.self, page.book)] }
    var openingActions: [any Relux.Action] { page.isPrefetched ? [Relux.Prefetch(Books.self, page.book)] : [] }
}

struct Library: Relux.Module {
    let books: Books
    var shelf: Shelf?
    var saving: [any Relux.StatePersistence] = []

    init(_ server: Server) { books = Books(server: server) }
    init(_ books: Books) { self.books = books }

    var states: [any Relux.State] { [Notices(), Reading()] }
    var dependencies: [any Relux.Module] {
        [
            Relux.Queries(books, persistence: saving), Relux.Queries(Switches(server: books.server)),
            Relux.Queries(shelf ?? Shelf(server: books.server)),
        ]
    }
    var children: [Relux.Children] {
        [.each(of: Reading.self, \.pages) { page, _ in BookPage(id: page.id, page: page) }]
    }
}

extension Relux.StateReading {
    func book(_ id: Int) async -> Relux.Fetched<Book, Relux.QueryFailure> {
        await query(Books.self, id)
    }

    func query<Q: Relux.Query>(_ query: Q.Type, _ key: Q.Key) async -> Relux.Fetched<Q.Value, Q.Failure> {
        await read { $0.query(Q.self, key) }
    }
}

/// Uses keys that a test chooses.
struct Wanted: Relux.State {
    var books: [Int] = []

    enum Action: Relux.Action, Hashable { case use([Int]) }

    mutating func reduce(_ action: Action) {
        if case .use(let books) = action { self.books = books }
    }
}

struct Screen: Relux.Module {
    var interval: Duration?
    var isFetching = true

    var states: [any Relux.State] { [Wanted()] }
    var watchers: [any Relux.Watcher] {
        [Relux.Using(Books.self, every: interval, fetching: isFetching) { $0[Wanted.self]?.books ?? [] }]
    }
}
