public import Relux
public import SampleServices

extension Pets {
    /// The progress of a load of the catalogue, or of one pet.
    public enum Progress<Value: Sendable & Hashable>: Relux.Action, Hashable {
        /// A load has started.
        case began
        /// The value was loaded.
        case loaded(Value)
        /// An attempt failed, and another one follows.
        case setBack(Setback)
        /// The load failed.
        case failed(PetsServiceError)
        /// The load was cancelled.
        case cancelled
    }

    /// Fetches a value from the service, as requested by an effect, and retries after a transient failure. Only the
    /// latest load runs.
    struct Loader<Effect: Relux.Effect, Value: Sendable & Hashable>: Relux.Saga {
        let service: any PetsService
        let patience: Patience
        let question: @Sendable (any PetsService) async throws -> Value

        func policy(for effect: Effect) -> Relux.Policy { .latest }

        func actionOnStart(_ effect: Effect) -> (any Relux.Action)? { Progress<Value>.began }

        func actionOnCancel(_ effect: Effect) -> (any Relux.Action)? { Progress<Value>.cancelled }

        func actionOnFailure(_ effect: Effect, _ error: any Error) -> (any Relux.Action)? {
            (error as? PetsServiceError).map { Progress<Value>.failed($0) }
        }

        func run(_ effect: Effect, in context: Relux.SagaContext) async throws {
            await context.finish(with: Progress.loaded(try await answer(in: context)))
        }

        /// The answer within the limits of the patience. Throws the error of the last attempt.
        private func answer(in context: Relux.SagaContext) async throws -> Value {
            try await context.retry(patience.schedule) { setback in
                guard let failure = setback.error as? PetsServiceError else { return }
                let setback = Setback(failure, attempt: setback.attempt, limit: patience.attempts)
                await context.dispatch(Progress<Value>.setBack(setback))
            } _: {
                do {
                    return try await context.timeout(after: patience.limit) { _ in try await question(service) }
                } catch let error as Relux.TimeoutError {
                    throw PetsServiceError(.slow(limit: error.limit), place: service.origin)
                }
            }
        }
    }
}
