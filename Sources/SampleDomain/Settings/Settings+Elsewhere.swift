import Relux
import SampleServices

extension Settings {
    /// Takes in what others do to the settings. It saves nothing, so that two processes can't answer each other
    /// for ever.
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
