import Relux

enum Quotes {
    struct State: Relux.State {
        var quote = Relux.Loadable<String, QuoteError>.idle

        enum Action: Relux.Action, Equatable { case loaded(String), failed(QuoteError) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .loaded(let text): quote = .loaded(text)
            case .failed(let error): quote.fail(with: error)
            }
        }
    }
}

enum QuoteError: Error { case noConnection }

protocol QuoteService: Sendable {
    func quote() async throws -> String
}

extension Quotes {
    struct Load: Relux.Effect, Equatable {}

    struct Loader: Relux.Saga {
        let service: any QuoteService

        func run(_ load: Load, in context: Relux.SagaContext) async throws {
            do {
                let text = try await service.quote()
                await context.dispatch(State.Action.loaded(text))
            } catch let error as QuoteError {
                await context.dispatch(State.Action.failed(error))
            }
        }
    }
}

extension Quotes {
    struct Module: Relux.Module {
        let service: any QuoteService

        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [.init(of: State.self, on: Load.self) { state, _ in state.quote.startLoading() }]
        }
        var sagas: [any Relux.Saga] { [Loader(service: service)] }
    }
}
