public import Relux

extension Relux {
    /// The module of a query.
    ///
    /// List it in the `dependencies` of the module whose instances share its answers, usually that of the app. An
    /// instance that depends on it uses the one around it, if there is one, and otherwise gets its own.
    ///
    /// ```swift
    /// var dependencies: [any Relux.Module] { [Relux.Queries(Recipes(service: service))] }
    /// ```
    ///
    /// - Lifetime: A reset forgets all values, unless ``QueryState`` is excepted, and ends all requests. What is still
    ///   used is then asked for again. A `replace` by a module with another query value, such as one with another
    ///   service, keeps the values, and asks for what is used and stale, by the new query's ``Query/staleAfter``.
    public struct Queries<Q: Query>: Module {
        let query: Q
        private let initial: [Q.Key: Q.Value]
        private let saving: [any StatePersistence]

        /// Creates the module.
        ///
        /// - Parameters:
        ///   - query: The query, with the services that it needs.
        ///   - initial: Values that are known beforehand, for previews and tests. They are stale.
        ///   - persistence: How values are saved: usually by a `Saved` of `QueryState<Q>`, with the payload
        ///     ``QueryState/saved``.
        public init(_ query: Q, initial: [Q.Key: Q.Value] = [:], persistence: [any StatePersistence] = []) {
            self.query = query
            self.initial = initial
            saving = persistence
        }

        /// The values, and what goes on with them.
        public var states: [any State] {
            [QueryState<Q>(initial), QueryActivity<Q>()]
        }

        /// The persistence of the values.
        public var persistence: [any StatePersistence] { saving }

        /// The reducers of both states.
        public var reducers: [Reducer] {
            [
                values(on: QueryEvent<Q>.self) { $0.reduce($1) },
                values(on: QueryDemand<Q>.self) { state, demand in
                    state.time += 1
                    state.change(demand.key) { $1.touches += 1 }
                },
                values(on: QueryUse<Q>.self) { state, use in state.change(use.key) { $1.touches += 1 } },
                values(on: Prefetch<Q>.self) { state, prefetch in state.change(prefetch.key) { $1.touches += 1 } },
                values(on: QuerySending<Q>.self) { state, sending in
                    // First, because nothing that others have forgotten concerns it.
                    state.change(sending.key) { $1.touches += 1 }
                    state.mutations = sending.number
                },
                values(on: Invalidate<Q>.self) { $0.reduce($1) },
                values(on: Provide<Q>.self) { $0.reduce($1) },
                values(on: Forget<Q>.self) { $0.forget($1.key) },
                .init(of: QueryActivity<Q>.self, on: QueryEvent<Q>.self) { $0.reduce($1) },
                .init(of: QueryActivity<Q>.self, on: QueryDemand<Q>.self) { $0.begin($1) },
                .init(of: QueryActivity<Q>.self, on: QueryUse<Q>.self) { $0.begin($1) },
                .init(of: QueryActivity<Q>.self, on: Prefetch<Q>.self) { $0.begin($1) },
                .init(of: QueryActivity<Q>.self, on: QuerySending<Q>.self) { $0.begin($1) },
                .init(of: QueryActivity<Q>.self, on: Forget<Q>.self) { $0.forget($1.key) },
            ] + pagedReducers
        }

        /// A reducer of the values, which first tells their state what others read there about the query.
        private func values<A: Action>(
            on action: A.Type, _ reduce: @escaping @Sendable (inout QueryState<Q>, A) -> Void
        ) -> Reducer {
            .init(of: QueryState<Q>.self, on: action) {
                [staleAfter = query.staleAfter, cancelsUnused = query.cancelsUnused] state, action in
                (state.staleAfter, state.cancelsUnused) = (staleAfter, cancelsUnused)
                reduce(&state, action)
            }
        }

        /// The decisions that concern both states.
        public var rules: [Rule] {
            [
                .init(on: Mutate<Q>.self) { mutate, reader in
                    [
                        QuerySending<Q>(
                            key: mutate.key, mutation: mutate.mutation,
                            number: (reader[QueryState<Q>.self]?.mutations ?? 0) + 1)
                    ]
                },
                .init(on: Invalidate<Q>.self) { invalidate, reader in
                    QueryRefresh<Q>.needed(of: invalidate.keys, in: reader)
                },
                .init(on: Forget<Q>.self) { forget, reader in QueryRefresh<Q>.needed(of: [forget.key], in: reader) },
                .init(on: Provide<Q>.self) { provide, reader in
                    provide.start == nil ? QueryRefresh<Q>.needed(of: provide.values.map(\.id), in: reader) : []
                },
                .init(on: QueryEvent<Q>.self) { event, reader in QueryRefresh<Q>.needed(by: event, in: reader) },
                .init(on: Recheck<Q>.self) { _, reader in QueryRefresh<Q>.ofStale(in: reader) },
                .init(on: Evict<Q>.self) { evict, reader in evict.evictions(in: reader) },
            ] + pagedRules
        }

        /// The sagas that use, refresh, send, and fetch pages.
        public var sagas: [any Saga] {
            [
                Prefetcher(query: query), Keeper<Q>(), Starter(query: query), Loader<Q>(),
                Refresher(query: query), Sender(query: query), Settler(query: query),
            ] + pagedSagas
        }

        /// The flows that fetch.
        public var flows: [any Flow] { [Fetcher(query: query), Requester(query: query)] }

        /// The timer of unused values.
        public var watchers: [any Watcher] { [Evictor(query: query)] }
    }
}
