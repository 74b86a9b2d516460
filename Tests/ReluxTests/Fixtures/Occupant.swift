import Dispatch
import Relux
import TestFixtures

/// Keeps a store occupied, on a thread of its own.
struct Occupant: Sendable {
    private let thread = ThreadExecutor()
    private let isOver = DispatchSemaphore(value: 0)
    private let task: Task<Void, Never>

    /// Returns when it is inside.
    init(of store: Relux.Store) async {
        let isInside = Gate()
        task = Task(executorPreference: thread.tasks) { [isOver] in
            await store.read { _ in
                isInside.open()
                isOver.wait()
            }
        }
        await isInside.pass()
    }

    /// Lets it leave, and waits until it has.
    func leave() async {
        letLeave()
        await left()
    }

    /// Lets it leave, and doesn't wait.
    func letLeave() { isOver.signal() }

    /// Waits until it has left.
    func left() async {
        await task.value
        thread.end()
    }
}
