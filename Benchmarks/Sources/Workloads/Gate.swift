import Synchronization

/// Holds tasks until it is opened, and lets one task wait for a number of them to arrive.
final class Gate: Sendable {
    private struct Content {
        var waiting: [UnsafeContinuation<Void, Never>] = []
        var isOpen = false
    }

    private let content = Mutex(Content())
    private let arrivals = Arrivals()

    /// Waits until the gate opens.
    func pass() async {
        await withUnsafeContinuation { continuation in
            let isOpen = content.withLock { content in
                if !content.isOpen { content.waiting.append(continuation) }
                return content.isOpen
            }
            if isOpen { continuation.resume() }
            arrivals.add()
        }
    }

    /// Waits until the given number of tasks has arrived since the creation of the gate.
    func waitForArrivals(_ count: Int) async {
        await arrivals.wait(for: count)
    }

    /// Lets all tasks pass, including those that arrive later.
    func open() {
        let waiting = content.withLock { content in
            defer { content.waiting = [] }
            content.isOpen = true
            return content.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
