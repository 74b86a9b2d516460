import Synchronization

/// Counts what many tasks do, and lets one task wait for a number of it.
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

    /// Counts one more.
    func add() {
        let waiter = content.withLock { content in
            content.count += 1
            return content.takeWaiterIfDue()
        }
        waiter?.resume()
    }

    /// Waits until there have been so many, since it was made.
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
