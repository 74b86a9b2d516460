/// The runs of a lane that wait for their turn, first in, first out.
///
/// A run that leaves from behind the front is only marked, because removing it from the array would move everything
/// behind it. The marked ones are dropped at the front, or once they are the majority, so that every operation is O(1),
/// amortised.
struct RunQueue: Sendable {
    private var queue = Queue<RunID>()
    /// The runs in the queue that have left. Never the first one.
    private var left: Set<RunID> = []

    var count: Int { queue.count - left.count }

    var isEmpty: Bool { queue.isEmpty }

    var first: RunID? { queue.first }

    /// The runs, first to last. O(n).
    var elements: [RunID] { left.isEmpty ? queue.elements : queue.elements.filter { !left.contains($0) } }

    mutating func append(_ run: RunID) { queue.append(run) }

    mutating func popFirst() -> RunID? {
        defer { dropLeft() }
        return queue.popFirst()
    }

    /// Removes a run of the queue from any position.
    mutating func remove(_ run: RunID) {
        if queue.first == run {
            _ = popFirst()
        } else {
            left.insert(run)
            if left.count > queue.count / 2 { compact() }
        }
    }

    private mutating func dropLeft() {
        while let first = queue.first, !left.isEmpty, left.remove(first) != nil { _ = queue.popFirst() }
    }

    private mutating func compact() {
        var compacted = Queue<RunID>()
        for run in elements { compacted.append(run) }
        (queue, left) = (compacted, [])
    }
}
