import Relux

/// The unused keys of a query, in the order of their last use.
///
/// - Complexity: All operations are O(1), amortised.
final class UnusedLine<Q: Relux.Query>: Sendable {
    private struct Entry {
        let key: Q.Key
        let touches: Int
        let time: Duration
        let number: Int
    }

    private struct Contents {
        var entries: [Entry] = []
        var start = 0
        /// The number of the present entry of each unused key.
        var numbers: [Q.Key: Int] = [:]
        var count = 0
        var hasTimer = false

        var first: Entry? {
            mutating get {
                removeOutdated()
                while start < entries.count, numbers[entries[start].key] != entries[start].number { start += 1 }
                return start < entries.count ? entries[start] : nil
            }
        }

        /// Removes entries of keys that have newer ones or are used, once they are the majority.
        mutating func removeOutdated() {
            guard entries.count > 32, entries.count > numbers.count * 2 else { return }
            entries = entries[start...].filter { numbers[$0.key] == $0.number }
            start = 0
        }

        mutating func removeFirst() -> Relux.Evict<Q>.Due? {
            guard let first else { return nil }
            numbers[first.key] = nil
            return .init(key: first.key, touches: first.touches)
        }
    }

    private let contents = Lock(Contents())

    /// Notes the last use of an unused key, or that a key is used.
    ///
    /// - Parameter touches: The number of its uses and requests so far; nil if it is used.
    func note(_ key: Q.Key, _ touches: Int?, at time: Duration) {
        contents.withLock { contents in
            guard let touches else {
                contents.numbers[key] = nil
                return
            }
            contents.removeOutdated()
            contents.count += 1
            contents.numbers[key] = contents.count
            contents.entries.append(Entry(key: key, touches: touches, time: time, number: contents.count))
        }
    }

    /// The change that the timer needs.
    enum TimerChange { case start, stop, none }

    func changeTimer() -> TimerChange {
        contents.withLock { contents in
            if contents.numbers.isEmpty == !contents.hasTimer { return .none }
            contents.hasTimer.toggle()
            return contents.hasTimer ? .start : .stop
        }
    }

    /// The time of the least recent use. Nil ends the timer that asks.
    func firstTimeOrEnd() -> Duration? {
        contents.withLock { contents in
            let time = contents.first?.time
            if time == nil { contents.hasTimer = false }
            return time
        }
    }

    /// Removes the keys whose last use was not later than a time.
    func removeAll(until time: Duration) -> [Relux.Evict<Q>.Due] {
        contents.withLock { contents in
            var removed: [Relux.Evict<Q>.Due] = []
            while let first = contents.first, first.time <= time, let due = contents.removeFirst() {
                removed.append(due)
            }
            return removed
        }
    }

    /// Removes the least recently used keys beyond a number.
    func removeAll(beyond limit: Int) -> [Relux.Evict<Q>.Due] {
        contents.withLock { contents in
            var removed: [Relux.Evict<Q>.Due] = []
            while contents.numbers.count > limit, let due = contents.removeFirst() { removed.append(due) }
            return removed
        }
    }
}
