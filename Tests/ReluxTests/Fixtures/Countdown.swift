import Relux

/// Lets a test wait until something has happened a given number of times.
final class Countdown: Sendable {
    private struct Contents {
        var left: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let contents: Lock<Contents>

    init(from start: Int) {
        contents = Lock(Contents(left: start))
    }

    func count() {
        let released = contents.withLock { contents in
            contents.left -= 1
            guard contents.left <= 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { contents.waiting = [] }
            return contents.waiting
        }
        for one in released { one.resume() }
    }

    /// Waits until the count has reached zero.
    func zero() async {
        await withCheckedContinuation { continuation in
            let isOver = contents.withLock { contents in
                if contents.left > 0 { contents.waiting.append(continuation) }
                return contents.left <= 0
            }
            if isOver { continuation.resume() }
        }
    }
}
