import Relux
import SampleServices

extension Session {
    /// Takes in what others write down about the session: the data change hands as if it had been asked for here.
    ///
    /// It only asks for that, and doesn't wait for it: the change of hands begins this watcher anew. What a cancelled
    /// sequence has told in vain the next one tells again. Where it can't be read at that moment who is signed in,
    /// ``State/failure`` says why, and the next change, or a ``Command/restore``, puts that right.
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
