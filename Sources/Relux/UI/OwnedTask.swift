/// A task that is cancelled when its last owner is released.
final class OwnedTask: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) {
        self.task = task
    }

    /// Waits until the task has ended.
    func end() async { await task.value }

    deinit {
        task.cancel()
    }
}
