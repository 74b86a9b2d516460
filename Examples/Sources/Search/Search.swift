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

    /// Finds the titles for a query. The text field dispatches it with each letter.
    struct Find: Relux.Effect, Hashable { let query: String }

    struct Finder: Relux.Saga {
        let service: any SearchService

        /// A newer query supersedes this run at once, whether it pauses or waits for the service.
        func policy(for find: Find) -> Relux.Policy { .latest }

        /// If the search is cancelled, nothing loads any more.
        func actionOnCancel(_ find: Find) -> (any Relux.Action)? { State.Action.stopped }

        func run(_ find: Find, in context: Relux.SagaContext) async throws {
            try await context.sleep(for: .milliseconds(300))
            do {
                await context.dispatch(State.Action.found(try await service.titles(for: find.query)))
            } catch let error as SearchError {
                await context.dispatch(State.Action.failed(error))
            }
        }
    }

    struct Module: Relux.Module {
        let service: any SearchService

        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [
                .init(of: State.self, on: Find.self) { state, find in
                    state.query = find.query
                    state.titles.startLoading()
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
