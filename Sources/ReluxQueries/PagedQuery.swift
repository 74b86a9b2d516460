public import Relux

extension Relux {
    /// A query for lists that come in pages.
    ///
    /// ```swift
    /// func fetchPage(
    ///     of tag: String, at cursor: Int?, in request: Relux.QueryRequest
    /// ) async throws -> Relux.Pages<Row, Int> {
    ///     let list = try await service.list(tag, from: cursor ?? 0)
    ///     request.provide(Recipes.self, list.recipes.map { ($0.id, $0) })
    ///     return .init(list.recipes.map { Row(id: $0.id) }, next: list.next)
    /// }
    /// ```
    ///
    /// ``Fetch``, ``Using`` and ``Invalidate`` refresh the list; ``FetchMore`` adds a page.
    public protocol PagedQuery: Query where Value == Pages<Element, Cursor> {
        associatedtype Key
        /// A row of the list.
        associatedtype Element: Identifiable & Equatable & Sendable where Element.ID: Sendable
        /// The place of a page in the list, as the server names it: a number, an offset, a token.
        associatedtype Cursor: Hashable & Sendable

        /// The extent of a refresh. The default is the first page.
        var refresh: PagesRefresh { get }

        /// The number of pages that are kept at most. ``FetchMore`` drops those at the other end, which can be fetched
        /// again if the server's pages have a cursor in that direction. A row that a kept page has as well stays. The
        /// default is no limit.
        var pageLimit: Int { get }

        /// Asks for one page, once.
        ///
        /// - Parameters:
        ///   - key: The list.
        ///   - cursor: The place of the page; nil for the first one.
        ///   - request: Takes what else the answer contains, and gives access to the store.
        /// - Returns: The page. One that is empty but has a cursor doesn't end the list: the next one is asked for.
        ///   The cursor of a page that is there already ends it.
        /// - Throws: Any error, as ``Query/fetch(_:in:)`` does.
        func fetchPage(of key: Key, at cursor: Cursor?, in request: QueryRequest) async throws -> Pages<Element, Cursor>
    }

    /// Fetches the next or the previous page of a list, after a refresh that is under way. Does nothing at its end.
    ///
    /// However many rows ask for it at once, a page is fetched once: who asks while it is under way waits for it, and
    /// who asks after its arrival gets the next one. ``Fetched/isFetchingMore`` and ``Fetched/moreFailure`` show the
    /// progress. If the list is replaced meanwhile, or a mutation of it is confirmed, its new page is asked for.
    ///
    /// - Cancellation: A cancelled caller stops waiting. The request is cancelled with its last caller. An effect that
    ///   was only dispatched counts as a caller, until its receipt is cancelled.
    /// - Errors: A failure is stored in ``Fetched/moreFailure``, and isn't thrown to performers.
    public struct FetchMore<Q: PagedQuery>: Effect, Hashable {
        /// The key of the list.
        public let key: Q.Key
        /// The end at which the list grows.
        public let edge: PageEdge

        /// Creates the effect.
        public init(_ key: Q.Key, _ edge: PageEdge = .next) {
            self.key = key
            self.edge = edge
        }

        /// Creates the effect for a query.
        public init(_ query: Q.Type, _ key: Q.Key, _ edge: PageEdge = .next) {
            self.init(key, edge)
        }
    }

    /// A page has arrived.
    package struct PageArrived<Q: PagedQuery>: Action, Equatable {
        package let key: Q.Key
        package let edge: PageEdge
        package let page: Q.Value
        /// The list that the page belongs to, and its place there.
        let list: Int
        let cursor: Q.Cursor
        let limit: Int
    }
}

extension Relux.PagedQuery {
    /// The first page.
    public var refresh: Relux.PagesRefresh { .first }

    /// No limit.
    public var pageLimit: Int { .max }

    /// Fetches the first page, or as many pages as there are, as ``refresh`` says.
    public func fetch(_ key: Key, in request: Relux.QueryRequest) async throws -> Value {
        func present() async throws -> Value? {
            guard refresh == .all else { return nil }
            return try await request.context.state(of: Relux.QueryState<Self>.self).kept[id: key]?.value
        }
        let first = try await present()?.pages.first?.cursor
        var list = try await fetchPage(of: key, at: first, in: request)
        list.pages[0].cursor = first
        // Asked each time, because a page may arrive meanwhile.
        while let next = list.next, let count = try await present()?.pageCount, list.pageCount < count {
            list.add(try await fetchPage(of: key, at: next, in: request), at: .next)
        }
        return list
    }
}

extension Relux.QueryState where Q: Relux.PagedQuery {
    mutating func reduce(_ arrived: Relux.PageArrived<Q>) {
        guard records[id: arrived.key]?.list ?? 0 == arrived.list, var value = kept[id: arrived.key]?.value,
            value.cursor(at: arrived.edge) == arrived.cursor
        else { return }
        value.add(arrived.page, at: arrived.edge, limit: arrived.limit)
        store(value, for: arrived.key)
    }
}

extension Relux.Query {
    /// Whether the answer to a refresh of all pages lacks one that has arrived since it was asked for.
    func lacksPage(
        _ value: Value, of key: Key, since before: Relux.QueryState<Self>, in state: Relux.QueryState<Self>
    ) -> Bool {
        func check<P: Relux.PagedQuery>(_ query: P) -> Bool {
            guard query.refresh == .all, let value = value as? P.Value,
                let before = before.kept[id: key]?.value as? P.Value, let now = state.kept[id: key]?.value as? P.Value
            else { return false }
            return now.pages.map(\.cursor) != before.pages.map(\.cursor)
                && (now.pages.first?.cursor != value.pages.first?.cursor
                    || now.pageCount > value.pageCount && value.hasMore)
        }
        return (self as? any Relux.PagedQuery).map { check($0) } ?? false
    }
}

// MARK: - The module's part

extension Relux.Queries {
    var pagedReducers: [Relux.Reducer] {
        func reducers<P: Relux.PagedQuery>(_ query: P) -> [Relux.Reducer] {
            [.init(of: Relux.QueryState<P>.self, on: Relux.PageArrived<P>.self) { $0.reduce($1) }]
        }
        return (query as? any Relux.PagedQuery).map { reducers($0) } ?? []
    }

    var pagedRules: [Relux.Rule] {
        func rules<P: Relux.PagedQuery>(_ query: P) -> [Relux.Rule] {
            [
                .init(on: Relux.FetchMore<P>.self) { more, reader in wish(for: more, in: reader) },
                .init(on: Relux.PageArrived<P>.self) { arrived, reader in answer(arrived, in: reader) },
            ]
        }
        return (query as? any Relux.PagedQuery).map { rules($0) } ?? []
    }

    var pagedSagas: [any Relux.Saga] {
        func sagas<P: Relux.PagedQuery>(_ query: P) -> [any Relux.Saga] { [PageFetcher(query: query)] }
        return (query as? any Relux.PagedQuery).map { sagas($0) } ?? []
    }
}

/// Notes that a page is wanted, unless there can't be one.
private func wish<Q: Relux.PagedQuery>(
    for more: Relux.FetchMore<Q>, in reader: borrowing Relux.StateReader
) -> [any Relux.Action] {
    guard let state = reader[Relux.QueryState<Q>.self], let activity = reader[Relux.QueryActivity<Q>.self]
    else { return [] }
    let status = activity.statuses[id: more.key]
    guard status?.more[more.edge] == nil,
        status?.turn != nil || status?.isAboutToBeAsked(in: state) == true || state.place(of: more) != nil
    else { return [] }
    return [Relux.QueryEvent<Q>.moreWanted(more.key, more.edge)]
}

/// Ends the wish for a page that has arrived, unless it belonged to an older list, or has nothing new.
private func answer<Q: Relux.PagedQuery>(
    _ arrived: Relux.PageArrived<Q>, in reader: borrowing Relux.StateReader
) -> [any Relux.Action] {
    guard let state = reader[Relux.QueryState<Q>.self], let value = state.kept[id: arrived.key]?.value,
        state.records[id: arrived.key]?.list ?? 0 == arrived.list,
        value.cursor(at: arrived.edge) != arrived.cursor,
        value.cursor(at: arrived.edge) == nil || value.hasNews(at: arrived.edge)
    else { return [] }
    return [Relux.QueryEvent<Q>.moreStopped(arrived.key, arrived.edge)]
}

/// The place of a page: in which list, and where there.
private struct PagePlace<Cursor: Hashable & Sendable>: Hashable, Sendable {
    let list: Int
    let cursor: Cursor
}

extension Relux.QueryState where Q: Relux.PagedQuery {
    /// The place of the next page at an end of the present list; nil if there is none.
    fileprivate func place(of more: Relux.FetchMore<Q>) -> PagePlace<Q.Cursor>? {
        kept[id: more.key]?.value.cursor(at: more.edge).map {
            PagePlace(list: records[id: more.key]?.list ?? 0, cursor: $0)
        }
    }
}

/// Fetches pages for as long as the state says that one is wanted.
struct PageFetcher<Q: Relux.PagedQuery>: Relux.Saga {
    typealias Event = Relux.QueryEvent<Q>

    private enum Next {
        /// Awaiting the request of the list that is under way.
        case follow(turn: Int)
        /// Joining, or making, the request that has to replace an outdated one.
        case load(since: Relux.QueryMoment)
        case ask(PagePlace<Q.Cursor>)
    }

    let query: Q

    /// What several rows ask for at once is fetched once, for as long as one of them waits. A run ends in the step in
    /// which nothing is wanted any more, so that no wish is lost that joins it.
    func policy(for more: Relux.FetchMore<Q>) -> Relux.Policy { .shared(id: more) }

    func actionOnCancel(_ more: Relux.FetchMore<Q>) -> (any Relux.Action)? { Event.moreStopped(more.key, more.edge) }

    func run(_ more: Relux.FetchMore<Q>, in context: Relux.SagaContext) async throws {
        while let next = await context.finish(unless: { decide(more, in: $0, &$1) }) {
            switch next {
            case .follow(let turn): try await context.wait(for: more.key, of: Q.self) { $0?.turn != turn }
            case .load(let moment): try await context.load(Q.self, more.key, since: moment)
            case .ask(let place): if try await !ask(for: more, at: place, in: context) { return }
            }
        }
    }

    /// Decides what a wish needs next, or that the run is over.
    private func decide(
        _ more: Relux.FetchMore<Q>, in reader: borrowing Relux.StateReader, _ last: inout [any Relux.Action]
    ) -> Next? {
        guard let state = reader[Relux.QueryState<Q>.self],
            let status = reader[Relux.QueryActivity<Q>.self]?.statuses[id: more.key],
            let awaited = status.more[more.edge]
        else { return nil }
        if let turn = status.turn { return .follow(turn: turn) }
        // The performers of an outdated request ask again, but no state tells that they are about to.
        let wasOutdated = awaited < state.floor(of: more.key) && status.isUnanswered(in: state)
        if wasOutdated || status.isAboutToBeAsked(in: state) { return .load(since: state.moment(of: more.key)) }
        if let place = state.place(of: more) { return .ask(place) }
        last = [Event.moreStopped(more.key, more.edge)]
        return nil
    }

    /// Asks for a page, unless its list is replaced meanwhile.
    ///
    /// - Returns: Whether there may be more to do. Otherwise, the run has ended.
    private func ask(
        for more: Relux.FetchMore<Q>, at place: PagePlace<Q.Cursor>, in context: Relux.SagaContext
    ) async throws -> Bool {
        do {
            let answer = try await context.retry(query.retry ?? .once) {
                guard try await context.state(of: Relux.QueryState<Q>.self).place(of: more) == place
                else { throw CancellationError() }
                return try await context.attempt(Q.self) {
                    try await query.fetchPage(of: more.key, at: place.cursor, in: $0)
                }
            }
            try Task.checkCancellation()
            await context.dispatch {
                Relux.PageArrived<Q>(
                    key: more.key, edge: more.edge, page: answer.value, list: place.list, cursor: place.cursor,
                    limit: query.pageLimit)
                answer.actions
            }
            return true
        } catch {
            try Task.checkCancellation()
            let stop =
                isCancellation(error)
                ? Event.moreStopped(more.key, more.edge)
                : Event.moreFailed(more.key, more.edge, query.failure(for: error))
            return await context.finish { reader, last in
                // What has happened to an older list says nothing about the present one.
                guard reader[Relux.QueryState<Q>.self]?.place(of: more) == place else { return true }
                last = [stop]
                return nil
            } == true
        }
    }
}
