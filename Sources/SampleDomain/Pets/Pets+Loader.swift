import Relux
import SampleServices

extension Pets {
    /// Loads, as an ``Effect`` asks for it, as long as it may take and as somebody is there to see it.
    ///
    /// - Ordering: One load of each subject at a time, the latest.
    /// - Cancellation: What was loaded before is seen again. A load whose page has gone cancels itself: it can't be
    ///   taken for the load of another page of the same pet, as it could by who cancels it from outside a moment later.
    ///   An answer that comes in the moment before it hears of that is kept for the next visit: it is not shown,
    ///   and true.
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
                // A service that gives up by itself has failed; else nobody would end the loading.
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

        /// Does something until it is done, or until no page of a pet lies on the stack any more.
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
            // Refused where another page of the pet has begun to load it in the meantime.
            await context.dispatch(State.Action.loadCancelled(.pet(id)))
            throw CancellationError()
        }
    }
}

extension Pets.Effect {
    /// What it is about.
    var subject: Pets.Subject {
        switch self {
        case .load(let subject): subject
        }
    }
}
