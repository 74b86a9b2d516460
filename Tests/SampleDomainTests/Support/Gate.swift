import Relux

/// Holds callers until it is opened, and reports arrivals.
final class Gate: Sendable {
    private struct Position {
        var isOpen = false
        var arrivals = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var watching: [(arrivals: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let position = Lock(Position())

    /// Waits until the gate is open. Cancellation is ignored.
    func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, watching) = position.withLock { position in
                position.arrivals += 1
                let arrivals = position.arrivals
                let due = position.watching.filter { $0.arrivals <= arrivals }
                position.watching.removeAll { $0.arrivals <= arrivals }
                if !position.isOpen { position.held.append(continuation) }
                return (position.isOpen, due)
            }
            for watcher in watching { watcher.continuation.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Waits until this many callers have arrived.
    func arrivals(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isDue = position.withLock { position in
                if position.arrivals < count { position.watching.append((count, continuation)) }
                return position.arrivals >= count
            }
            if isDue { continuation.resume() }
        }
    }

    /// Releases all waiting and future callers.
    func open() {
        let held = position.withLock { position in
            position.isOpen = true
            defer { position.held = [] }
            return position.held
        }
        for continuation in held { continuation.resume() }
    }
}
