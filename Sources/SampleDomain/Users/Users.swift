public import Relux
public import SampleServices

/// Who is online.
///
/// - Owns: ``State``, all users as far as they are known.
/// - Takes: ``Load``. Loads that are requested while one is under way join it.
/// - Sets off: a load, until one has succeeded, and a watcher that follows what the service reports.
public enum Users {
    /// All users.
    public struct State: Relux.State, Hashable {
        /// A change of the users.
        public enum Action: Relux.Action, Hashable {
            /// A load has started.
            case began
            /// All users have been loaded.
            case loaded([User])
            /// A load has failed.
            case failed(PresenceError)
            /// A load was cancelled.
            case cancelled
            /// Somebody has come or gone.
            case changed(User)
        }

        /// The users, sorted by name.
        public private(set) var roster: Relux.Loadable<Relux.Entities<User>, PresenceError> = .idle

        /// Creates a state in which nothing is known.
        public init() {}

        /// Reduces an action. A change that is older than what is known is ignored.
        public mutating func reduce(_ action: Action) {
            switch action {
            case .began: roster.startLoading()
            case .loaded(let users):
                var loaded = Relux.Entities<User>(sortedBy: \.name)
                // Reports that came during the load may be newer than the answer.
                for user in users { loaded.upsert(newer(user)) }
                roster = .loaded(loaded)
            case .failed(let error): roster.fail(with: error)
            case .cancelled: roster.cancelLoading()
            case .changed(let user):
                let user = newer(user)
                _ = roster.update { $0.upsert(user) }
            }
        }

        private func newer(_ user: User) -> User {
            guard let known = roster.value?[id: user.id], known.since > user.since else { return user }
            return known
        }
    }

    /// Loads all users again.
    public struct Load: Relux.Effect, Hashable {
        /// Creates the effect.
        public init() {}
    }

    struct Loader: Relux.Saga {
        let service: any PresenceService

        func policy(for load: Load) -> Relux.Policy { .shared }

        func actionOnStart(_ load: Load) -> (any Relux.Action)? { State.Action.began }

        func actionOnFailure(_ load: Load, _ error: any Error) -> (any Relux.Action)? {
            (error as? PresenceError).map { State.Action.failed($0) }
        }

        func actionOnCancel(_ load: Load) -> (any Relux.Action)? { State.Action.cancelled }

        func run(_ load: Load, in context: Relux.SagaContext) async throws {
            await context.finish(with: State.Action.loaded(try await service.users()))
        }
    }

    /// Shows who comes and goes. The service is asked for changes before it is asked for all users, so that nothing
    /// that happens in between is missed. A load that fails is repeated, because changes are ignored until the users
    /// are known.
    struct Follower: Relux.Watcher {
        let service: any PresenceService

        func watch(in context: Relux.SagaContext) async throws {
            let changes = service.changes()
            try await context.retry(.exponential(base: .seconds(1), limit: .seconds(30), attempts: .max)) {
                try await context.perform(Load())
            }
            for await user in changes { await context.dispatch(State.Action.changed(user)) }
        }
    }

    /// The presence of users as a feature of an app.
    public struct Module: Relux.Module {
        private let service: any PresenceService

        /// Creates the module.
        public init(service: any PresenceService) { self.service = service }

        /// Nothing known.
        public var states: [any Relux.State] { [State()] }

        /// Loading.
        public var sagas: [any Relux.Saga] { [Loader(service: service)] }

        /// Following.
        public var watchers: [any Relux.Watcher] { [Follower(service: service)] }
    }
}
