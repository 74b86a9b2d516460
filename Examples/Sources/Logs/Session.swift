import Relux

/// Signs in with a password that no log may show.
enum Session {
    struct State: Relux.State, Hashable {
        var token: Relux.Redacted<String>?

        enum Action: Relux.Action, Hashable { case signedIn(Relux.Redacted<String>) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .signedIn(let token): self.token = token
            }
        }
    }

    struct SignIn: Relux.Effect, Hashable {
        let name: String
        let password: Relux.Redacted<String>
    }

    struct Saga: Relux.Saga {
        let service: any SessionService

        func policy(for effect: SignIn) -> Relux.Policy { .latest }

        func run(_ effect: SignIn, in context: Relux.SagaContext) async throws {
            let token = try await service.token(for: effect.name, password: effect.password.value)
            await context.dispatch(State.Action.signedIn(Relux.Redacted(token)))
        }
    }

    struct Module: Relux.Module {
        let service: any SessionService

        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [Saga(service: service)] }
    }
}

protocol SessionService: Sendable {
    func token(for name: String, password: String) async throws -> String
}
