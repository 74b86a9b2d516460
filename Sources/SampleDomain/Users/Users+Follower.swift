import Relux
import SampleServices

extension Users {
    /// Receives the changes of the users' presence.
    ///
    /// - Lifetime: After a failure it waits until a load of the users succeeds, and then starts again.
    struct Follower: Relux.Watcher {
        let service: any UsersService

        func watch(in context: Relux.SagaContext) async throws {
            while await follow(in: context) {
                let isLoaded = context.values(of: State.self) { $0.roster.isLoaded }
                guard await isLoaded.contains(true) else { return }
            }
        }

        /// Follows the users until the sequence ends.
        ///
        /// - Returns: Whether the sequence ended with a failure, as opposed to a cancellation.
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
