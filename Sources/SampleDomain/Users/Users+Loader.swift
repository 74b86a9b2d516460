import Relux
import SampleServices

extension Users {
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
}
