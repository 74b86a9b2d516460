import Relux
import SampleServices

extension Pets {
    /// Loads the catalogue, as requested by an ``Effect``. Only the latest load runs.
    struct Loader: Relux.Saga {
        let service: any PetsService
        let patience: Patience

        func policy(for effect: Effect) -> Relux.Policy { .latest }

        func actionOnCancel(_ effect: Effect) -> (any Relux.Action)? { State.Action.cancelled }

        func run(_ effect: Effect, in context: Relux.SagaContext) async throws {
            do {
                let pets = try await patience.answer(of: service, in: context) { setback in
                    await context.dispatch(State.Action.setBack(setback))
                } to: { service in
                    try await service.pets()
                }
                await context.dispatch(State.Action.loaded(pets))
            } catch let failure as PetsServiceError {
                await context.dispatch(State.Action.failed(failure))
            }
        }
    }
}
