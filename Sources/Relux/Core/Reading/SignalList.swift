/// Signals that wait for something, each for its own topic.
///
/// Who waits for one of several events stands in a list for each with the same signal. After the first event it is done
/// with in the others too, and mustn't pile up there for as long as those don't happen: so a list sweeps itself as it
/// grows.
struct SignalList<Topic> {
    /// Who came first. It stands apart because it is alone most of the time: so it needs no array, and nobody has to go
    /// through one to look at it.
    private var oldest: Signal?
    /// Its topic. A property of its own: to look at it retains no signal.
    private var oldestTopic: Topic?
    private var others: [(topic: Topic, signal: Signal)] = []
    private var sweepCount = 8

    /// In the order of their coming, those included that have fired elsewhere.
    var signals: [Signal] { (oldest.map { [$0] } ?? []) + others.map(\.signal) }

    var count: Int { oldest == nil ? 0 : others.count + 1 }

    var isEmpty: Bool { oldest == nil }

    /// Whether there is more than one.
    var isCrowded: Bool { !others.isEmpty }

    /// O(1), amortised.
    mutating func append(_ signal: Signal, for topic: Topic) {
        if count >= sweepCount {
            removeAll { $0.hasFired }
            sweepCount = max(8, count * 2)
        }
        if oldest == nil { (oldestTopic, oldest) = (topic, signal) } else { others.append((topic, signal)) }
    }

    /// O(n).
    mutating func remove(_ signal: Signal) {
        removeAll { $0 === signal }
    }

    /// Takes out and fires those for the topics that are named, in the order of their coming. O(n).
    ///
    /// - Parameter isMeant: Says of each topic once whether it is named.
    mutating func fire(where isMeant: (Topic) -> Bool = { _ in true }) {
        fire(oldest: isOldest(where: isMeant), where: isMeant)
    }

    /// The same, after ``isOldest(where:)`` has answered for the same topics.
    mutating func fire(oldest isOldestMeant: Bool, where isMeant: (Topic) -> Bool) {
        if isOldestMeant { oldest?.fire() }
        var kept = 0
        for index in others.indices {
            if isMeant(others[index].topic) {
                others[index].signal.fire()
            } else {
                others.swapAt(kept, index)
                kept += 1
            }
        }
        others.removeLast(others.count - kept)
        if isOldestMeant { moveUp() }
    }

    /// Whether there is an oldest one, and it is for a topic that is named.
    // mutating, although nothing changes: so it is looked at where it lies, and nothing is retained for that long.
    @inline(__always)
    mutating func isOldest(where isMeant: (Topic) -> Bool) -> Bool {
        oldestTopic.map(isMeant) ?? false
    }

    private mutating func removeAll(where isRemoved: (Signal) -> Bool) {
        others.removeAll { isRemoved($0.signal) }
        if let first = oldest, isRemoved(first) { moveUp() }
    }

    /// Puts the second one in the place of the oldest.
    private mutating func moveUp() {
        guard !others.isEmpty else { return (oldestTopic, oldest) = (nil, nil) }
        (oldestTopic, oldest) = others.removeFirst()
    }
}
