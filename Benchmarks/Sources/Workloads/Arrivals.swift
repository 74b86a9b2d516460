import Synchronization

/// Counts events from many tasks, and lets one task wait for a number of them.
final class Arrivals: Sendable {
    private struct Content {
        var count = 0
        var awaited = 0
        var waiter: UnsafeContinuation<Void, Never>?

        mutating func takeWaiterIfDue() -> UnsafeContinuation<Void, Never>? {
            guard count >= awaited else { return nil }
            return waiter.take()
        }
    }

    private let content = Mutex(Content())

    /// Counts one event.
    func add() {
        let waiter = content.withLock { content in
            content.count += 1
            return content.takeWaiterIfDue()
        }
        waiter?.resume()
    }

    /// Waits until the given number of events has occurred since the creation of this object.
    func wait(for count: Int) async {
        await withUnsafeContinuation { continuation in
            let waiter = content.withLock { content in
                content.awaited = count
                content.waiter = continuation
                return content.takeWaiterIfDue()
            }
            waiter?.resume()
        }
    }
}
