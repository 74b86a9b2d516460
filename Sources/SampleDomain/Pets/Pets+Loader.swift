import Relux
import SampleServices

extension Pets {
    /// Loads, as requested by an ``Effect``, within the limits of the patience and only while a page needs the result.
    ///
    /// - Ordering: One load of each subject at a time, the latest.
    /// - Cancellation: The previously loaded value is restored. A load whose page was closed cancels itself. Cancelling
    ///   it from outside could hit the load of another page of the same pet that was opened in the meantime. An answer
    ///   that arrives just before the closing is noticed is kept for the next visit. It isn't displayed, and it is
    ///   correct.
    struct Loader: Relux.Saga {
        let service: any PetsService
        let patience: Patience

        func policy(for effect: Effect) -> Relux.Policy { .latest(id: effect.subject) }

        func actionOnCancel(_ effect: Effect) -> (any Relux.Action)? { State.Action.loadCancelled(effect.subject) }

        func run(_ effect: Effect, in context: Relux.SagaContext) async throws {
            switch effect.subject {
            case .catalogue:
                try await load(.catalogue, in: context) { .catalogueLoaded(try await service.pets()) }
            case .pet(let id):
                try await whilePageIsOpen(of: id, in: context) {
                    try await load(.pet(id), in: context) { .petLoaded(try await service.pet(id: id)) }
                }
            }
        }

        private func load(
            _ subject: Subject,
            in context: Relux.SagaContext,
            _ ask: @escaping @Sendable () async throws -> State.Action
        ) async throws {
            do {
                var attempt = 0
                let action = try await context.retry(patience.schedule) {
                    attempt += 1
                    do {
                        return try await limited(in: context, ask)
                    } catch let failure as PetsServiceError where patience.triesAgain(after: failure, attempt: attempt)
                    {
                        let setback = Setback(failure, attempt: attempt, limit: patience.attempts)
                        await context.dispatch(State.Action.setBack(subject, setback))
                        throw failure
                    }
                }
                await context.dispatch(action)
            } catch let failure as PetsServiceError {
                // A service that reports cancellation although the task wasn't cancelled has failed. Otherwise the
                // loading would never end.
                if failure.reason == .cancelled, Task.isCancelled { throw CancellationError() }
                await context.dispatch(State.Action.loadFailed(subject, failure))
            }
        }

        private func limited(
            in context: Relux.SagaContext,
            _ ask: @escaping @Sendable () async throws -> State.Action
        ) async throws -> State.Action {
            do {
                return try await context.timeout(after: patience.limit) { _ in try await ask() }
            } catch let error as Relux.TimeoutError {
                throw PetsServiceError(.slow(limit: error.limit), place: service.origin)
            }
        }

        /// Runs work until it ends or until no page of the pet is left on the stack.
        private func whilePageIsOpen(
            of id: Pet.ID,
            in context: Relux.SagaContext,
            _ work: @escaping @Sendable () async throws -> Void
        ) async throws {
            let stack = try await context.state(of: Navigation.Stack.self)
            guard stack.contains(.pet(id)) else { return try await giveUp(id, in: context) }
            try await withThrowingTaskGroup { group in
                group.addTask { try await work() }
                group.addTask {
                    let isOpen = context.values(of: Navigation.Stack.self) { $0.contains(.pet(id)) }
                    for await isOpen in isOpen where !isOpen { try await giveUp(id, in: context) }
                }
                try await group.next()
                group.cancelAll()
            }
        }

        private func giveUp(_ id: Pet.ID, in context: Relux.SagaContext) async throws {
            // Refused if a load for another page of the pet has superseded this run.
            await context.dispatch(State.Action.loadCancelled(.pet(id)))
            throw CancellationError()
        }
    }
}

extension Pets.Effect {
    /// The subject of the effect.
    var subject: Pets.Subject {
        switch self {
        case .load(let subject): subject
        }
    }
}
