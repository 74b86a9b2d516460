import Relux

/// A feature whose requests need a token.
enum Profile {
    struct State: Relux.State, Hashable {
        var title: String?

        enum Action: Relux.Action, Hashable { case loaded(String) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .loaded(let title): self.title = title
            }
        }
    }

    struct Load: Relux.Effect, Hashable {}

    struct Loader: Relux.Saga {
        let service: any ProfileService

        func policy(for load: Load) -> Relux.Policy { .leading }

        func run(_ load: Load, in context: Relux.SagaContext) async throws {
            let title = try await context.authorized { token in try await service.title(token: token) }
            await context.dispatch(State.Action.loaded(title))
        }
    }

    struct Module: Relux.Module {
        let service: any ProfileService

        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [Loader(service: service)] }
        var requires: [any Relux.Module.Type] { [Session.Module.self] }
    }
}

protocol ProfileService: Sendable {
    /// - Throws: `SessionError.rejected` if the token is no longer valid.
    func title(token: String) async throws -> String
}
