import Relux

/// Searches while the user types. It pauses, asks the service once, and abandons queries that are out of date.
enum Search {
    struct State: Relux.State, Hashable {
        var query = ""
        var titles = Relux.Loadable<[String], SearchError>.idle

        enum Action: Relux.Action, Hashable { case found([String]), failed(SearchError), stopped }

        mutating func reduce(_ action: Action) {
            switch action {
            case .found(let titles): self.titles = .loaded(titles)
            case .failed(let error): titles.fail(with: error)
            case .stopped: titles.cancelLoading()
            }
        }
    }

    /// Finds the titles for a query. The text field dispatches it with each change, also when it is emptied.
    struct Find: Relux.Effect, Hashable { let query: String }

    struct Finder: Relux.Saga {
        let service: any SearchService

        /// A newer query supersedes this run at once. What a superseded run dispatches is refused.
        func policy(for find: Find) -> Relux.Policy { .latest }

        /// Reduced if the search is cancelled, but not if a newer query supersedes it.
        func actionOnCancel(_ find: Find) -> (any Relux.Action)? { State.Action.stopped }

        func actionOnFailure(_ find: Find, _ error: any Error) -> (any Relux.Action)? {
            (error as? SearchError).map { State.Action.failed($0) }
        }

        func run(_ find: Find, in context: Relux.SagaContext) async throws {
            if find.query.isEmpty { return }
            try await context.sleep(for: .milliseconds(300))
            await context.finish(with: State.Action.found(try await service.titles(for: find.query)))
        }
    }

    struct Module: Relux.Module {
        let service: any SearchService

        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [
                .init(of: State.self, on: Find.self) { state, find in
                    state.query = find.query
                    // The previous titles stay visible until the new ones are there.
                    if find.query.isEmpty { state.titles = .idle } else { state.titles.startLoading() }
                }
            ]
        }
        var sagas: [any Relux.Saga] { [Finder(service: service)] }
    }
}

protocol SearchService: Sendable {
    func titles(for query: String) async throws -> [String]
}

enum SearchError: Error, Hashable { case offline }
