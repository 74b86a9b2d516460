import Relux

/// A feature with everything that most have.
enum Counter {
    struct State: Relux.State {
        var count = 0
        var fact: String?
        var isLoading = false

        enum Action: Relux.Action, Equatable { case increment, decrement, loaded(String) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .increment: count += 1
            case .decrement: count -= 1
            case .loaded(let fact): (self.fact, isLoading) = (fact, false)
            }
        }
    }

    struct Load: Relux.Effect {}

    struct Loader: Relux.Saga {
        func run(_ load: Load, in context: Relux.SagaContext) async throws {
            let count = try await context.state(of: State.self).count
            await context.dispatch(State.Action.loaded("\(count) is a number"))
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [.init(of: State.self, on: Load.self) { state, _ in state.isLoading = true }]
        }
        var sagas: [any Relux.Saga] { [Loader()] }
    }
}
