import Synchronization

/// Holds tasks back until it opens, and tells when so many of them have come.
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

    /// Waits until so many tasks have come, since it was made.
    func waitForArrivals(_ count: Int) async {
        await arrivals.wait(for: count)
    }

    /// Lets everybody pass, also those that come later.
    func open() {
        let waiting = content.withLock { content in
            defer { content.waiting = [] }
            content.isOpen = true
            return content.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
