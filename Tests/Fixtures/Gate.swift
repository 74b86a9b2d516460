import Relux

/// Stops tasks until a test opens it.
///
/// It counts arrivals, so a test can await the moment in which a task has reached the gate.
package final class Gate: Sendable {
    private struct Contents {
        var isOpen = false
        var arrivals = 0
        var passing: [CheckedContinuation<Void, Never>] = []
        var awaiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let contents = Lock(Contents())

    package init() {}

    /// Waits until the gate is open, even if the task is cancelled, like a service that ignores cancellation.
    package func pass() async {
        await withCheckedContinuation { continuation in
            let (released, isOpen) = contents.withLock { contents in
                contents.arrivals += 1
                let arrivals = contents.arrivals
                let released = contents.awaiting.filter { $0.count <= arrivals }.map(\.continuation)
                contents.awaiting.removeAll { $0.count <= arrivals }
                if !contents.isOpen { contents.passing.append(continuation) }
                return (released, contents.isOpen)
            }
            for one in released { one.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Resumes all waiting tasks and lets later ones pass.
    package func open() {
        let released = contents.withLock { contents in
            contents.isOpen = true
            defer { contents.passing = [] }
            return contents.passing
        }
        for one in released { one.resume() }
    }

    /// Resumes the task that has waited longest.
    package func letOnePass() {
        let first = contents.withLock { contents in
            contents.passing.isEmpty ? nil : contents.passing.removeFirst()
        }
        first?.resume()
    }

    /// Waits until at least `count` tasks have arrived, including those that have already passed.
    package func arrivals(atLeast count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = contents.withLock { contents in
                guard contents.arrivals < count else { return true }
                contents.awaiting.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
