import Relux

/// Who is signed in, with a token that is renewed when the server no longer accepts it.
enum Session {
    struct User: Hashable, Sendable {
        let name: String
        var token: Relux.Redacted<String>
    }

    struct State: Relux.State, Hashable {
        var user: User?

        enum Action: Relux.Action, Hashable { case signedIn(User), renewed(Relux.Redacted<String>) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .signedIn(let user): self.user = user
            case .renewed(let token): user?.token = token
            }
        }
    }

    struct SignIn: Relux.Effect, Hashable { let name: String, password: Relux.Redacted<String> }

    struct SignOut: Relux.Effect, Hashable {}

    /// Announces a sign-out while everything is still there, for features that have to save something.
    struct WillSignOut: Relux.Broadcast, Hashable {}

    /// Renews a token that the server has rejected.
    struct Renew: Relux.Effect, Hashable {
        typealias Output = Relux.Redacted<String>

        let rejected: Relux.Redacted<String>
    }

    struct Greeter: Relux.Saga {
        let service: any SessionService

        func policy(for signIn: SignIn) -> Relux.Policy { .latest.in(Lane.session) }

        func run(_ signIn: SignIn, in context: Relux.SagaContext) async throws {
            let token = try await service.signIn(signIn.name, signIn.password.value)
            let user = User(name: signIn.name, token: Relux.Redacted(token))
            // Ends all work of a former user, and shows nothing of that user any more, in the same step.
            await context.reset(then: State.Action.signedIn(user))
        }
    }

    struct Farewell: Relux.Saga {
        func policy(for signOut: SignOut) -> Relux.Policy { .latest.in(Lane.session) }

        func run(_ signOut: SignOut, in context: Relux.SagaContext) async throws {
            await context.actions { WillSignOut() }
            // Ends all work of this user, and restores all initial values, in one step.
            await context.reset()
        }
    }

    struct Renewer: Relux.Flow {
        let service: any SessionService

        /// Any number of requests wait for one renewal.
        func policy(for renew: Renew) -> Relux.Policy { .shared }

        func run(_ renew: Renew, in context: Relux.SagaContext) async throws -> Relux.Redacted<String> {
            guard let user = try await context.state(of: State.self).user else { throw SessionError.signedOut }
            // The rejection was late: another request has renewed the token in the meantime.
            if user.token != renew.rejected { return user.token }
            let token = Relux.Redacted(try await service.renew(user.token.value))
            await context.dispatch(State.Action.renewed(token))
            return token
        }
    }

    /// A sign-in and a sign-out supersede each other.
    enum Lane {
        static let session = Relux.Lane("session")
    }

    struct Module: Relux.Module {
        let service: any SessionService

        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [Greeter(service: service), Farewell()] }
        var flows: [any Relux.Flow] { [Renewer(service: service)] }
    }
}

protocol SessionService: Sendable {
    func signIn(_ name: String, _ password: String) async throws -> String
    func renew(_ token: String) async throws -> String
}

enum SessionError: Error, Hashable { case signedOut, rejected }
