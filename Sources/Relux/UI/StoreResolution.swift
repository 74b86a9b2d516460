import Observation

extension Relux.UI {
    /// Creates a store once, and remembers the error if that fails.
    ///
    /// - Cancellation: Cancelling a task that waits for an attempt ends the wait and not the attempt, so that a view
    ///   that disappears and appears again gets the same store.
    /// - Lifetime: It keeps the store alive. When it is released during an attempt, the attempt is cancelled.
    @MainActor
    @Observable
    final class StoreResolution {
        /// The store, once it has been created.
        private(set) var store: Relux.Store?

        /// The error of the last attempt; nil during an attempt.
        private(set) var error: (any Error)?

        @ObservationIgnored private var attempt: (task: Task<Void, Never>, end: Signal)?

        /// Creates the store if this has not been tried yet, and returns when the attempt has ended.
        ///
        /// After a failure it returns immediately; ``retry(_:)`` starts another attempt.
        ///
        /// - Cancellation: When the waiting task is cancelled, it returns immediately, and the attempt continues.
        func resolve(_ make: @escaping @Sendable () async throws -> Relux.Store) async {
            if attempt == nil, store == nil, error == nil { start(make) }
            _ = await attempt?.end.waitUnlessCancelled()
        }

        /// Tries again, unless an attempt is being made or has succeeded.
        func retry(_ make: @escaping @Sendable () async throws -> Relux.Store) {
            guard attempt == nil, store == nil else { return }
            error = nil
            start(make)
        }

        private func start(_ make: @escaping @Sendable () async throws -> Relux.Store) {
            let end = Signal()
            let task = Task { [weak self] in
                do {
                    let store = try await make()
                    self?.store = store
                } catch {
                    self?.error = error
                }
                self?.attempt = nil
                end.fire()
            }
            attempt = (task, end)
        }

        deinit { attempt?.task.cancel() }
    }
}
