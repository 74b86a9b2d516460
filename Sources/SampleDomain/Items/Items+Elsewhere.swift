import Relux
import SampleServices

extension Items {
    /// Takes in what others do to the list.
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
