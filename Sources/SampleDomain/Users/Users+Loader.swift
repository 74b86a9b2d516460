import Relux
import SampleServices

extension Users {
    /// Looks who is there, as an ``Effect`` asks for it: the latest one alone.
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
