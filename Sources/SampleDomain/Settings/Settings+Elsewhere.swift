import Relux
import SampleServices

extension Settings {
    /// Receives the changes made to the settings elsewhere. It saves nothing, so two processes can't trigger each other
    /// endlessly.
    struct Elsewhere: Relux.Watcher {
        let service: any SettingsService

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
