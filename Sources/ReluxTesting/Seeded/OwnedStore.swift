import Relux

/// A store on a seeded executor that only its owner drives.
///
/// The owner ends the store when the owner itself is released. Jobs that the store posts during its release are still
/// run, because a job that never runs would keep the executor, the store and its states alive forever.
final class OwnedStore: Sendable {
    private let contents: Lock<Relux.Store?>

    init(_ store: Relux.Store) {
        contents = Lock(store)
    }

    /// The store; an empty one after the end.
    var store: Relux.Store { contents.withLock { $0 } ?? Relux.Store() }

    /// Shuts the store down, which ends its unfinished work, and releases it.
    ///
    /// - Parameter executor: The store's executor, which nothing drives from here on.
    func end(on executor: SeededExecutor) {
        startShutdown(on: executor)
        executor.drain(limit: 100_000)
        executor.retire()
    }

    /// The task holds the last reference: this store must not outlive the jobs that are drained afterwards.
    private func startShutdown(on executor: SeededExecutor) {
        let store = contents.withLock { contents in
            defer { contents = nil }
            return contents
        }
        if let store { Task(executorPreference: executor, priority: .medium) { await store.shutdown() } }
    }
}
