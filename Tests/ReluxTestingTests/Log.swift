import Relux

/// What several tasks write down, in the order in which they do.
final class Log<Entry: Sendable>: Sendable {
    private let state = Lock<[Entry]>([])

    var entries: [Entry] { state.withLock { $0 } }

    func add(_ entry: Entry) {
        state.withLock { $0.append(entry) }
    }
}
