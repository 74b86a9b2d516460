import Relux

/// The entries that several tasks add, in the order in which they add them.
final class Log<Entry: Sendable>: Sendable {
    private let state = Lock<[Entry]>([])

    var entries: [Entry] { state.withLock { $0 } }

    func add(_ entry: Entry) {
        state.withLock { $0.append(entry) }
    }
}
