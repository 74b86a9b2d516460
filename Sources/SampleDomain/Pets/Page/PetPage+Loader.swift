import Relux
import SampleServices

extension PetPage {
    /// Loads the pet, as requested by an ``Effect``. Only the latest load of each page runs.
    struct Loader: Relux.Saga {
        let pet: Pet.ID
        let service: any PetsService
        let patience: Pets.Patience

        func policy(for effect: Effect) -> Relux.Policy { .latest }

        func actionOnCancel(_ effect: Effect) -> (any Relux.Action)? { State.Action.cancelled }

        func run(_ effect: Effect, in context: Relux.SagaContext) async throws {
            do {
                let answer = try await patience.answer(of: service, in: context) { setback in
                    await context.dispatch(State.Action.setBack(setback))
                } to: { [pet] service in
                    try await service.pet(id: pet)
                }
                await context.dispatch(State.Action.loaded(answer))
            } catch let failure as PetsServiceError {
                await context.dispatch(State.Action.failed(failure))
            }
        }
    }

    /// Loads the pet when the page opens, however it was opened: by a command, or by a link that replaced the stack.
    struct Opening: Relux.Watcher {
        func watch(in context: Relux.SagaContext) async throws {
            await context.dispatch(Effect.load)
        }
    }
}
