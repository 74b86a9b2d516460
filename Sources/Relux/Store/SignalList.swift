/// Signals that wait for something, each for its own topic.
///
/// Who waits for one of several events stands in a list for each with the same signal. After the first event it is done
/// with in the others too, and mustn't pile up there for as long as those don't happen: so a list sweeps itself as it
/// grows.
struct SignalList<Topic> {
    private var entries: [(topic: Topic, signal: Signal)] = []
    private var sweepCount = 8

    /// In the order of their coming, those included that have fired elsewhere.
    var signals: [Signal] { entries.map(\.signal) }

    var count: Int { entries.count }

    var isEmpty: Bool { entries.isEmpty }

    /// O(1), amortised.
    mutating func append(_ signal: Signal, for topic: Topic) {
        if entries.count >= sweepCount {
            entries.removeAll { $0.signal.hasFired }
            sweepCount = max(8, entries.count * 2)
        }
        entries.append((topic, signal))
    }

    /// O(n).
    mutating func remove(_ signal: Signal) {
        entries.removeAll { $0.signal === signal }
    }

    /// Takes out and fires those for the topics that are named, in the order of their coming. O(n).
    ///
    /// - Parameter isMeant: Says of each topic once whether it is named.
    mutating func fire(where isMeant: (Topic) -> Bool = { _ in true }) {
        if let first = firstIndex(where: isMeant) { fire(from: first, where: isMeant) }
    }

    /// Takes out and fires the one at an index, and those behind it for the topics that are named.
    mutating func fire(from first: Int, where isMeant: (Topic) -> Bool) {
        var kept = first
        entries[first].signal.fire()
        for index in first + 1..<entries.count {
            if isMeant(entries[index].topic) {
                entries[index].signal.fire()
            } else {
                entries.swapAt(kept, index)
                kept += 1
            }
        }
        entries.removeLast(entries.count - kept)
    }

    /// The first one for a topic that is named. Asks nobody behind it.
    // mutating, although nothing changes: so the entries are looked at where they lie, and not retained for that long.
    @inline(__always)
    mutating func firstIndex(where isMeant: (Topic) -> Bool) -> Int? {
        for index in 0..<entries.count where isMeant(entries[index].topic) { return index }
        return nil
    }
}
