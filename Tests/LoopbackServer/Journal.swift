import Relux

/// Records what has happened at a server.
final class Journal: Sendable {
    struct Contents: Sendable {
        var requests: [LoopbackServer.Request] = []
        var hangUps = 0
        var connections = 0
        fileprivate var waiting: [Waiting] = []
        fileprivate var cancelled: Set<Int> = []
        fileprivate var lastID = 0
    }

    fileprivate struct Waiting: Sendable {
        let id: Int
        let isDue: @Sendable (Contents) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private let contents = Lock(Contents())

    var requests: [LoopbackServer.Request] { contents.withLock { $0.requests } }

    func note(_ request: LoopbackServer.Request) {
        change { $0.requests.append(request) }
    }

    func noteHangUp() {
        change { $0.hangUps += 1 }
    }

    func noteBeginning() {
        change { $0.connections += 1 }
    }

    func noteEnd() {
        change { $0.connections -= 1 }
    }

    /// Waits until a condition holds or the task is cancelled, for example at the time limit of a test.
    func wait(until isDue: @escaping @Sendable (Contents) -> Bool) async {
        let id = contents.withLock { contents in
            contents.lastID += 1
            return contents.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                change { $0.waiting.append(Waiting(id: id, isDue: isDue, continuation: continuation)) }
            }
        } onCancel: {
            change { _ = $0.cancelled.insert(id) }
        }
    }

    private func change(_ body: (inout Contents) -> Void) {
        let due = contents.withLock { contents in
            body(&contents)
            let now = contents
            let due = contents.waiting.filter { $0.isDue(now) || now.cancelled.contains($0.id) }
            contents.waiting.removeAll { waiting in due.contains { $0.id == waiting.id } }
            return due
        }
        for waiting in due { waiting.continuation.resume() }
    }
}
