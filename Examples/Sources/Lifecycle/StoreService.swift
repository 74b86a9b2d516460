import Relux
import ServiceLifecycle

/// A store as a service of a group. When the group shuts down, the store finishes its work and saves its states.
///
/// A group stops its services in reverse order. List the store before the services that use it, so that it stops last.
struct StoreService: Service {
    let store: Relux.Store
    /// How long the runs in progress may take to end, on the store's clock. Then they are cancelled.
    var patience: Duration = .seconds(20)

    /// Returns when the store has been shut down.
    ///
    /// - Cancellation: The runs are cancelled at once. What is unsaved is saved nevertheless.
    /// - Throws: Why the last save failed, or `CancellationError`.
    func run() async throws {
        var failure: (any Error)?
        do {
            try await gracefulShutdown()
            try? await store.idle(within: patience)
            try await store.saved()
        } catch {
            failure = error
        }
        await store.shutdown()
        if let failure { throw failure }
    }
}
