public import Foundation
public import Relux
public import SampleServices

extension Users {
    /// The presence of users as a feature of an app.
    public struct Module: Relux.Module {
        private let service: any UsersService
        private let now: @Sendable () -> Date
        private let watchesElsewhere: Bool

        /// Creates the module.
        ///
        /// - Parameters:
        ///   - service: Stores the users.
        ///   - now: Returns the date of an arrival or departure made now.
        ///   - watchesElsewhere: Whether to read the users at once, and to receive changes made elsewhere while the
        ///     module is registered. A front end that runs for a single command needs neither. The default is true.
        public init(
            service: any UsersService,
            now: @escaping @Sendable () -> Date = { .now },
            watchesElsewhere: Bool = true
        ) {
            (self.service, self.now, self.watchesElsewhere) = (service, now, watchesElsewhere)
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
        public var flows: [any Relux.Flow] { [Doorkeeper(service: service, now: now)] }

        /// The first load, and the changes made elsewhere, if they are to be received.
        public var watchers: [any Relux.Watcher] {
            guard watchesElsewhere else { return [] }
            return [
                FirstLoad(effect: Effect.load),
                StorageFollower(service: service, changed: State.Action.changed, failed: State.Action.failed),
            ]
        }
    }

    /// Reads the users, as requested by an ``Effect``. Only the latest load runs.
    struct Loader: Relux.Saga {
        let service: any UsersService

        func policy(for effect: Effect) -> Relux.Policy { .latest }

        func actionOnCancel(_ effect: Effect) -> (any Relux.Action)? { State.Action.loadCancelled }

        func run(_ effect: Effect, in context: Relux.SagaContext) async throws {
            do throws(StorageError) {
                await context.dispatch(State.Action.changed(try await service.load()))
            } catch {
                if error.reason == .cancelled, Task.isCancelled { throw CancellationError() }
                await context.dispatch(State.Action.failed(error))
            }
        }
    }

    /// Records arrivals and departures, one after the other, as requested by a ``Command``.
    struct Doorkeeper: Relux.Flow {
        let service: any UsersService
        let now: @Sendable () -> Date

        func policy(for command: Command) -> Relux.Policy { .serial }

        func run(_ command: Command, in context: Relux.SagaContext) async throws -> Passage {
            let name = try name(in: command)
            do {
                let before = try await service.load().value[name]
                if before == nil, case .leave = command { throw UsersError.unknown(name.text) }
                let snapshot = try await service.save(command.change(of: name, at: now()))
                await context.dispatch(State.Action.changed(snapshot))
                guard let user = snapshot.value[name] else { throw UsersError.unknown(name.text) }
                return Passage(user: user, isNews: user.presence != before?.presence)
            } catch let error as StorageError {
                if error.reason == .cancelled, Task.isCancelled { throw CancellationError() }
                throw UsersError.notNoted(error)
            }
        }

        private func name(in command: Command) throws(UsersError) -> ProfileName {
            let text =
                switch command {
                case .arrive(let name), .leave(let name): name
                }
            do {
                return try ProfileName(text)
            } catch {
                throw .noName(text, error)
            }
        }
    }
}

extension Users.Command {
    fileprivate func change(of name: ProfileName, at date: Date) -> UserDirectory.Change {
        switch self {
        case .arrive: .arrive(name, at: date)
        case .leave: .leave(name, at: date)
        }
    }
}
