import Relux

enum Quotes {
    struct State: Relux.State {
        var quote = Relux.Loadable<String, QuoteError>.idle

        enum Action: Relux.Action, Equatable { case loading, loaded(String), failed(QuoteError), cancelled }

        mutating func reduce(_ action: Action) {
            switch action {
            case .loading: quote.startLoading()
            case .loaded(let text): quote = .loaded(text)
            case .failed(let error): quote.fail(with: error)
            case .cancelled: quote.cancelLoading()
            }
        }
    }
}

enum QuoteError: Error { case noConnection }

protocol QuoteService: Sendable {
    func quote() async throws(QuoteError) -> String
}

extension Quotes {
    struct Load: Relux.Effect, Equatable {}

    struct Loader: Relux.Saga {
        let service: any QuoteService

        func policy(for load: Load) -> Relux.Policy { .latest }

        func actionOnStart(_ load: Load) -> (any Relux.Action)? { State.Action.loading }

        func actionOnCancel(_ load: Load) -> (any Relux.Action)? { State.Action.cancelled }

        func actionOnFailure(_ load: Load, _ error: any Error) -> (any Relux.Action)? {
            (error as? QuoteError).map { State.Action.failed($0) }
        }

        func run(_ load: Load, in context: Relux.SagaContext) async throws {
            let text = try await service.quote()
            await context.finish(with: State.Action.loaded(text))
        }
    }
}

extension Quotes {
    struct Module: Relux.Module {
        let service: any QuoteService

        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [Loader(service: service)] }
    }
}
