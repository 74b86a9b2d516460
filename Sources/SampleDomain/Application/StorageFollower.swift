import Relux
import SampleServices

/// Receives the changes that others make to a stored value. It saves nothing, so two processes can't trigger each other
/// endlessly.
struct StorageFollower<Value: StoredValue>: Relux.Watcher {
    let service: any StorageService<Value>
    let changed: @Sendable (Snapshot<Value>) -> any Relux.Action
    let failed: @Sendable (StorageError) -> any Relux.Action

    func watch(in context: Relux.SagaContext) async throws {
        for await change in await service.changesElsewhere() {
            switch change {
            case .success(let snapshot): await context.dispatch(changed(snapshot))
            case .failure(let error): await context.dispatch(failed(error))
            }
        }
    }
}
