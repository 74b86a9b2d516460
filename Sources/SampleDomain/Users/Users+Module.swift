public import Relux
public import SampleServices

extension Users {
    /// The presence of users as a feature of an app.
    public struct Module: Relux.Module {
        private let service: any UsersService
        private let follows: Bool

        /// Creates the module.
        ///
        /// - Parameters:
        ///   - service: Stores the presence of users.
        ///   - follows: Whether to follow changes of presence while the module is registered. A front end that runs for
        ///     a single command doesn't need this. The default is true.
        public init(service: any UsersService, follows: Bool = true) {
            self.service = service
            self.follows = follows
        }

        /// The users.
        public var states: [any Relux.State] { [State()] }

        /// Mark the users as loading from the moment they are requested.
        public var reducers: [Relux.Reducer] {
            [Relux.Reducer(of: State.self, on: Effect.self) { state, effect in state.reduce(effect) }]
        }

        /// Loading.
        public var sagas: [any Relux.Saga] { [Loader(service: service)] }

        /// Arrivals and departures.
        public var flows: [any Relux.Flow] { [Doorkeeper(service: service)] }

        /// The changes made elsewhere, if they are to be followed.
        public var watchers: [any Relux.Watcher] { follows ? [Follower(service: service)] : [] }
    }

    /// Reads the users, as requested by an ``Effect``. Only the latest load runs.
    struct Loader: Relux.Saga {
        let service: any UsersService

        func policy(for effect: Effect) -> Relux.Policy { .latest }

        func actionOnCancel(_ effect: Effect) -> (any Relux.Action)? { State.Action.loadCancelled }

        func run(_ effect: Effect, in context: Relux.SagaContext) async throws {
            do throws(UsersServiceError) {
                await context.dispatch(State.Action.changed(try await service.users()))
            } catch {
                if error.reason == .cancelled, Task.isCancelled { throw CancellationError() }
                await context.dispatch(State.Action.failed(error))
            }
        }
    }

    /// Records arrivals and departures, one after the other, as requested by a ``Command``.
    struct Doorkeeper: Relux.Flow {
        let service: any UsersService

        func policy(for command: Command) -> Relux.Policy { .serial }

        func run(_ command: Command, in context: Relux.SagaContext) async throws -> Passage {
            let name = try name(in: command)
            do throws(UsersServiceError) {
                return switch command {
                case .arrive: try await service.arrive(name)
                case .leave: try await service.leave(name)
                }
            } catch {
                if error.reason == .cancelled, Task.isCancelled { throw CancellationError() }
                throw UsersError.notNoted(error)
            }
        }

        private func name(in command: Command) throws(UsersError) -> User.Name {
            let text =
                switch command {
                case .arrive(let name), .leave(let name): name
                }
            do {
                return try User.Name(text)
            } catch {
                throw .noName(text, error)
            }
        }
    }

    /// Receives the changes of the users' presence.
    ///
    /// - Lifetime: After a failure it waits until a load of the users succeeds, and then starts again.
    struct Follower: Relux.Watcher {
        let service: any UsersService

        func watch(in context: Relux.SagaContext) async throws {
            while await follow(in: context) {
                try await context.wait(until: State.self) { $0.roster.isLoaded }
            }
        }

        /// Follows the users until the sequence ends.
        ///
        /// - Returns: Whether the sequence ended with a failure, as opposed to a cancellation.
        private func follow(in context: Relux.SagaContext) async -> Bool {
            for await change in await service.presence() {
                switch change {
                case .success(let snapshot): await context.dispatch(State.Action.changed(snapshot))
                case .failure(let error):
                    await context.dispatch(State.Action.failed(error))
                    return !Task.isCancelled
                }
            }
            return false
        }
    }
}
