import Relux
import SampleServices

extension Items {
    /// Receives the changes made to the list elsewhere.
    struct Elsewhere: Relux.Watcher {
        let service: any ItemsService

        func watch(in context: Relux.SagaContext) async throws {
            for await change in await service.changesElsewhere() {
                switch change {
                case .success(let snapshot): await context.dispatch(State.Action.changedElsewhere(snapshot))
                case .failure(let error): await context.dispatch(State.Action.elsewhereFailed(error))
                }
            }
        }
    }
}
