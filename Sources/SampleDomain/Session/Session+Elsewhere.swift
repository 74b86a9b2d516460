import Relux
import SampleServices

extension Session {
    /// Receives changes made to the session elsewhere, and requests the same change of profile as a command would.
    ///
    /// It only dispatches the request and doesn't wait for it, because the change of profile restarts this watcher. A
    /// change that a cancelled sequence reported without effect is reported again by the next one. If the session can't
    /// be read at that moment, ``State/failure`` says why. The next change, or a ``Command/restore``, then recovers.
    struct Elsewhere: Relux.Watcher {
        let service: any SessionService

        func watch(in context: Relux.SagaContext) async throws {
            for await change in await service.changesElsewhere() {
                switch change {
                case .success:
                    await context.dispatch {
                        State.Action.changedElsewhere
                        Command.restore
                    }
                case .failure(let error): await context.dispatch(State.Action.elsewhereFailed(error))
                }
            }
        }
    }
}
