import Relux
import Synchronization

/// Stops tasks until a test lets them go on.
///
/// It knows who has come, so that a test can await the moment in which a task stands at the gate.
final class Gate: Sendable {
    private struct Contents {
        var isOpen = false
        var arrivals = 0
        var passing: [CheckedContinuation<Void, Never>] = []
        var awaiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let contents = Lock(Contents())

    /// Waits until the gate is open, whether or not the task is cancelled: a service that is deaf to cancellation.
    func pass() async {
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

    /// Lets all go on who wait, and whoever comes later.
    func open() {
        let released = contents.withLock { contents in
            contents.isOpen = true
            defer { contents.passing = [] }
            return contents.passing
        }
        for one in released { one.resume() }
    }

    /// Lets the first go on who waits.
    func letOnePass() {
        let first = contents.withLock { contents in
            contents.passing.isEmpty ? nil : contents.passing.removeFirst()
        }
        first?.resume()
    }

    /// Waits until so many have come, those included who went on already.
    func arrivals(atLeast count: Int = 1) async {
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
