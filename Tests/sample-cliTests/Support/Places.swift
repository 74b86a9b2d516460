import Relux

/// A counting semaphore for tasks, which admits waiting tasks in order.
final class Places: Sendable {
    private struct Contents {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let contents: Lock<Contents>

    init(count: Int) {
        contents = Lock(Contents(free: count))
    }

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = contents.withLock { contents in
                if contents.free > 0 {
                    contents.free -= 1
                    return true
                }
                contents.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func giveBack() {
        let next: CheckedContinuation<Void, Never>? = contents.withLock { contents in
            if contents.waiting.isEmpty {
                contents.free += 1
                return nil
            }
            return contents.waiting.removeFirst()
        }
        next?.resume()
    }
}
