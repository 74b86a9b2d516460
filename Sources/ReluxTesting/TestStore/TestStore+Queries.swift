public import Relux
public import ReluxQueries
public import Testing

/// The steps of queries.
///
/// The changes of a query's own states aren't stated, because only its own reducers make them. What is stated is what
/// was asked for, and what was answered: one line for one load.
///
/// ```swift
/// await store.dispatch(Pages.Action.push(.article(slug))) { (pages: inout Pages) in … }
/// await store.receiveUse(Articles.self, slug, fetched: article)
/// ```
extension TestStore {
    /// Values that an answer has for another query, by `QueryRequest.provide`.
    public struct QueryRows {
        let receive: (TestStore, SourceLocation) async -> Void

        /// States the values of a query, in their order.
        public static func rows<Q: Relux.Query>(
            of query: Q.Type, _ values: [(key: Q.Key, value: Q.Value)]
        ) -> QueryRows {
            QueryRows { store, location in
                _ = await store.receive(
                    .described { (provided: Relux.Provide<Q>) in
                        provided.rows.map(\.id) == values.map(\.key)
                            && provided.rows.map(\.value) == values.map(\.value)
                    }, nil, [], location)
            }
        }
    }

    /// Receives the beginning of a use, and with a value the request that it makes, and its answer.
    ///
    /// - Parameters:
    ///   - value: The answer; nil if the use makes no request, or if its steps are received one by one.
    ///   - isFetching: Whether the use fetches, as `Using` does by default.
    ///   - rows: The values that the answer has for other queries, in the order in which they were provided.
    public nonisolated(nonsending) func receiveUse<Q: Relux.Query>(
        _ query: Q.Type, _ key: Q.Key, fetched value: Q.Value? = nil, fetching isFetching: Bool = true,
        rows: [QueryRows] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await receive(Relux.QueryUse(Q.self, key, isFetching: isFetching), sourceLocation: sourceLocation)
        guard let value else { return }
        await receiveLoad(query, key, value, rows: rows, sourceLocation: sourceLocation)
    }

    /// Receives a prefetch, such as one of a page's opening actions, and with a value the request that it makes, and
    /// its answer.
    ///
    /// - Parameters:
    ///   - value: The answer; nil if the prefetch makes no request, or if its steps are received one by one.
    ///   - rows: The values that the answer has for other queries.
    public nonisolated(nonsending) func receivePrefetch<Q: Relux.Query>(
        _ query: Q.Type, _ key: Q.Key, fetched value: Q.Value? = nil, rows: [QueryRows] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await receive(Relux.Prefetch(Q.self, key), sourceLocation: sourceLocation)
        guard let value else { return }
        await receiveLoad(query, key, value, rows: rows, sourceLocation: sourceLocation)
    }

    /// Receives the prefetch of a page and the use that takes it over, with the request that they share, and its
    /// answer. For a page that prefetches in its opening actions what it uses.
    ///
    /// - Parameter rows: The values that the answer has for other queries.
    public nonisolated(nonsending) func receivePrefetchedUse<Q: Relux.Query>(
        _ query: Q.Type, _ key: Q.Key, fetched value: Q.Value, rows: [QueryRows] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await receive(Relux.Prefetch(Q.self, key), sourceLocation: sourceLocation)
        await receiveRequest(query, key, sourceLocation: sourceLocation)
        await receiveUse(query, key, sourceLocation: sourceLocation)
        // The answer may arrive before the use has found that it needn't ask.
        var isAnswered = false
        await receiveEvent(of: query, [], sourceLocation) { event in
            if case .fetched(key, value, _) = event { isAnswered = true }
            return isAnswered || event == .prefetchTaken(key)
        }
        if isAnswered {
            for rows in rows { await rows.receive(self, sourceLocation) }
            await receiveEvent(of: query, [], sourceLocation) { $0 == .prefetchTaken(key) }
        } else {
            await receiveFetched(query, key, value, rows: rows, sourceLocation: sourceLocation)
        }
    }

    /// Receives a request and its answer.
    ///
    /// - Parameters:
    ///   - rows: The values that the answer has for other queries.
    ///   - changes: One closure for each other state that the answer's actions change. The actions are received after
    ///     this.
    public nonisolated(nonsending) func receiveLoad<Q: Relux.Query, each S: Relux.State>(
        _ query: Q.Type, _ key: Q.Key, _ value: Q.Value, rows: [QueryRows] = [],
        _ changes: repeat @escaping (inout each S) -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await receiveRequest(query, key, sourceLocation: sourceLocation)
        await receiveFetched(query, key, value, rows: rows, repeat each changes, sourceLocation: sourceLocation)
    }

    /// Receives a request and its failure.
    public nonisolated(nonsending) func receiveFailure<Q: Relux.Query>(
        _ query: Q.Type, _ key: Q.Key, _ failure: Q.Failure, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await receiveRequest(query, key, sourceLocation: sourceLocation)
        await receiveFailed(query, key, failure, sourceLocation: sourceLocation)
    }

    /// Receives the repetition of requests that an `Invalidate`, a `Recheck`, a `Forget` or a mutation causes, and with
    /// a value the request of the only key, and its answer.
    ///
    /// - Parameter value: The answer; nil if its steps are received one by one.
    public nonisolated(nonsending) func receiveRefresh<Q: Relux.Query>(
        _ query: Q.Type, _ keys: Q.Key..., fetched value: Q.Value? = nil, rows: [QueryRows] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await receiveOwn(sourceLocation) { (refresh: Relux.QueryRefresh<Q>) in Set(refresh.keys) == Set(keys) }
        guard let value, let key = keys.first else { return }
        await receiveLoad(query, key, value, rows: rows, sourceLocation: sourceLocation)
    }

    /// Receives the beginning of a request.
    public nonisolated(nonsending) func receiveRequest<Q: Relux.Query>(
        _ query: Q.Type, _ key: Q.Key, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await receiveOwn(sourceLocation) { (demand: Relux.QueryDemand<Q>) in demand.key == key }
    }

    /// Receives the answer to a request.
    ///
    /// - Parameters:
    ///   - rows: The values that the answer has for other queries.
    ///   - changes: One closure for each other state that the answer's actions change.
    public nonisolated(nonsending) func receiveFetched<Q: Relux.Query, each S: Relux.State>(
        _ query: Q.Type, _ key: Q.Key, _ value: Q.Value, rows: [QueryRows] = [],
        _ changes: repeat @escaping (inout each S) -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await receiveEvent(of: query, list(repeat each changes), sourceLocation) { event in
            if case .fetched(key, value, _) = event { true } else { false }
        }
        for rows in rows { await rows.receive(self, sourceLocation) }
    }

    /// Receives the failure of a request.
    public nonisolated(nonsending) func receiveFailed<Q: Relux.Query>(
        _ query: Q.Type, _ key: Q.Key, _ failure: Q.Failure, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await receiveEvent(of: query, [], sourceLocation) { event in
            if case .failed(key, failure, _) = event { true } else { false }
        }
    }

    /// Receives the wish that a `FetchMore` has caused, and the page that answers it.
    ///
    /// - Parameters:
    ///   - page: The page as `fetchPage` returned it.
    ///   - edge: The end of the list.
    ///   - rows: The values that the answer has for other queries.
    public nonisolated(nonsending) func receivePage<Q: Relux.PagedQuery>(
        _ query: Q.Type, _ key: Q.Key, _ page: Q.Value, at edge: Relux.PageEdge = .next, rows: [QueryRows] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await receiveEvent(of: query, [], sourceLocation) { $0 == .moreWanted(key, edge) }
        await receiveOwn(sourceLocation) { (arrived: Relux.PageArrived<Q>) in
            arrived.key == key && arrived.edge == edge && arrived.page == page
        }
        await receiveEvent(of: query, [], sourceLocation) { $0 == .moreStopped(key, edge) }
        for rows in rows { await rows.receive(self, sourceLocation) }
    }

    /// Receives the sending of a mutation, which a `Mutate` has caused, and its confirmation.
    ///
    /// - Parameters:
    ///   - value: The server's value; nil if the query asks for it again, which is then received by
    ///     ``receiveRefresh(_:_:fetched:rows:sourceLocation:)``.
    ///   - changes: One closure for each other state that the actions of the confirmation change. The actions are
    ///     received after this.
    public nonisolated(nonsending) func receiveMutation<Q: Relux.Query, each S: Relux.State>(
        _ query: Q.Type, _ mutation: Q.Mutation, of key: Q.Key, confirmed value: Q.Value?,
        _ changes: repeat @escaping (inout each S) -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await receiveSending(query, mutation, of: key, sourceLocation: sourceLocation)
        await receiveEvent(of: query, list(repeat each changes), sourceLocation) { event in
            if case .confirmed(key, mutation, _, value, _, _) = event { true } else { false }
        }
    }

    /// Receives the sending of a mutation, which a `Mutate` has caused, and its rejection.
    ///
    /// - Parameter changes: One closure for each other state that the actions of the rejection change. The actions are
    ///   received after this.
    public nonisolated(nonsending) func receiveRejection<Q: Relux.Query, each S: Relux.State>(
        _ query: Q.Type, _ mutation: Q.Mutation, of key: Q.Key,
        _ changes: repeat @escaping (inout each S) -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await receiveSending(query, mutation, of: key, sourceLocation: sourceLocation)
        await receiveEvent(of: query, list(repeat each changes), sourceLocation) { event in
            if case .rejected(key, mutation, _) = event { true } else { false }
        }
    }

    /// Receives the sending of a mutation, which a `Mutate` has caused, while the server has yet to answer.
    public nonisolated(nonsending) func receiveSending<Q: Relux.Query>(
        _ query: Q.Type, _ mutation: Q.Mutation, of key: Q.Key, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await receiveOwn(sourceLocation) { (sending: Relux.QuerySending<Q>) in
            sending.key == key && sending.mutation == mutation
        }
    }

    /// Receives the end of a use: the step in which its last user has left.
    ///
    /// - Parameter isFetching: Whether the use fetched.
    public nonisolated(nonsending) func receiveRelease<Q: Relux.Query>(
        _ query: Q.Type, _ key: Q.Key, fetching isFetching: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await receiveEvent(of: query, [], sourceLocation) { $0 == .released(key, isFetching: isFetching) }
    }

    private nonisolated(nonsending) func receiveEvent<Q: Relux.Query>(
        of query: Q.Type, _ changes: [any AnyStateChange], _ location: SourceLocation,
        _ isWanted: @escaping (Relux.QueryEvent<Q>) -> Bool
    ) async {
        _ = await receive(.described(isWanted), nil, changes, location)
    }

    private nonisolated(nonsending) func receiveOwn<A: Relux.Action>(
        _ location: SourceLocation, _ isWanted: @escaping (A) -> Bool
    ) async {
        _ = await receive(.described(isWanted), nil, [], location)
    }
}
