/// Signals that wait for an event, each with a topic.
///
/// A reader that waits for one of several events has the same signal in several lists. After the first event, its
/// entries in the other lists are stale. A list removes stale entries when it grows, and when half of its entries were
/// cancelled, so they never accumulate.
struct WaiterList<Topic> {
    /// The first entry. It is stored apart because it is usually the only one: it needs no array, and no loop.
    private var oldest: Signal?
    /// Its topic. A property of its own, because reading it then retains no signal.
    private var oldestTopic: Topic?
    private var others: [(topic: Topic, signal: Signal)] = []
    private var sweepCount = 8
    private var cancelledCount = 0

    /// In order of arrival, including stale entries.
    var signals: [Signal] { (oldest.map { [$0] } ?? []) + others.map(\.signal) }

    var count: Int { oldest == nil ? 0 : others.count + 1 }

    var isEmpty: Bool { oldest == nil }

    /// Whether there is more than one entry.
    var isCrowded: Bool { !others.isEmpty }

    /// O(1), amortised.
    // inline(never), here and below: these would otherwise be copied to each of their calls.
    @inline(never)
    mutating func append(_ signal: Signal, for topic: Topic) {
        if count >= sweepCount {
            sweep()
            sweepCount = max(8, count * 2)
        }
        if oldest == nil { (oldestTopic, oldest) = (topic, signal) } else { others.append((topic, signal)) }
    }

    /// Notes that one of the signals is stale, because its waiter was cancelled and the signal was fired. O(1),
    /// amortised.
    @inline(never)
    mutating func noteCancellation() {
        cancelledCount += 1
        if cancelledCount * 2 >= count { sweep() }
    }

    /// Removes and fires the signals whose topics match, in order of arrival. O(n).
    ///
    /// - Parameter matches: Called once for each topic.
    mutating func fire(where matches: (Topic) -> Bool = { _ in true }) {
        fire(oldest: isOldest(where: matches), where: matches)
    }

    /// The same, if ``isOldest(where:)`` has been called for the same topics.
    mutating func fire(oldest isOldestMatched: Bool, where matches: (Topic) -> Bool) {
        if isOldestMatched { oldest?.fire() }
        var kept = 0
        for index in others.indices {
            if matches(others[index].topic) {
                others[index].signal.fire()
            } else {
                others.swapAt(kept, index)
                kept += 1
            }
        }
        others.removeLast(others.count - kept)
        if isOldestMatched { replaceOldest() }
    }

    /// Whether the topic of the oldest entry matches.
    // mutating although nothing changes: the topic is then read in place, and nothing is retained.
    @inline(__always)
    mutating func isOldest(where matches: (Topic) -> Bool) -> Bool {
        oldestTopic.map(matches) ?? false
    }

    @inline(never)
    private mutating func sweep() {
        cancelledCount = 0
        others.removeAll { $0.signal.hasFired }
        if let oldest, oldest.hasFired { replaceOldest() }
    }

    private mutating func replaceOldest() {
        guard !others.isEmpty else { return (oldestTopic, oldest) = (nil, nil) }
        (oldestTopic, oldest) = others.removeFirst()
    }
}
