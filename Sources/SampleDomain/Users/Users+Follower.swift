import Relux
import SampleServices

extension Users {
    /// Takes in who comes and goes.
    ///
    /// - Lifetime: After a failure it waits until somebody has loaded the users with success, and then begins anew.
    struct Follower: Relux.Watcher {
        let service: any UsersService

        func watch(in context: Relux.SagaContext) async throws {
            while await follow(in: context) {
                let isLoaded = context.values(of: State.self) { $0.roster.isLoaded }
                guard await isLoaded.contains(true) else { return }
            }
        }

        /// - Returns: Whether it has ended with a failure, and not because nobody wants it any more.
        private func follow(in context: Relux.SagaContext) async -> Bool {
            for await change in await service.presence() {
                switch change {
                case .success(let snapshot): await context.dispatch(State.Action.changed(snapshot))
                case .failure(let error):
                    await context.dispatch(State.Action.failed(error))
                    return !Task.isCancelled
                }
            }
            return false
        }
    }
}
