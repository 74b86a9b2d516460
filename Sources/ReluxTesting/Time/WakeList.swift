/// The sleepers and the waits for sleepers: the state machine of a manual clock.
///
/// Transitions resume nothing. They return what to resume, and the clock does so after releasing its lock.
struct WakeList {
    private(set) var now = ManualClock.Instant()

    private var entries: [Entry] = []
    private var watchers: [Watcher] = []
    private var horizon = ManualClock.Instant()
    private var lastID: UInt64 = 0

    var sleepers: [ManualClock.Sleeper] { entries.map(\.sleeper) }

    var nextDeadline: ManualClock.Instant? { entries.first?.sleeper.deadline }

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }
}

// MARK: - Adding and removing

extension WakeList {
    mutating func arrive(
        _ sleeper: ManualClock.Sleeper,
        _ continuation: CheckedContinuation<Void, any Error>,
        isCancelled: Bool
    ) -> Resumption {
        if isCancelled { return .cancel(continuation) }
        guard sleeper.deadline > now else { return .wake(continuation) }

        let index = insertionIndex(of: sleeper)
        entries.insert(Entry(sleeper: sleeper, continuation: continuation), at: index)
        return .answer(takeSatisfiedWatchers(), sleepers)
    }

    mutating func await(
        _ count: Int,
        _ id: UInt64,
        _ continuation: CheckedContinuation<[ManualClock.Sleeper], Never>,
        isCancelled: Bool
    ) -> Resumption {
        guard !isCancelled, entries.count < count else { return .answer([continuation], sleepers) }

        watchers.append(Watcher(id: id, count: count, continuation: continuation))
        return .nothing
    }

    mutating func cancel(_ id: UInt64) -> Resumption {
        if let index = entries.firstIndex(where: { $0.sleeper.id == id }) {
            return .cancel(entries.remove(at: index).continuation)
        }
        if let index = watchers.firstIndex(where: { $0.id == id }) {
            return .answer([watchers.remove(at: index).continuation], sleepers)
        }
        return .nothing
    }
}

// MARK: - Moving time

extension WakeList {
    /// Returns the time at which an advance ends. An overlapping advance counts from the end of the previous one.
    mutating func extendHorizon(by duration: Duration) -> ManualClock.Instant {
        horizon = max(horizon, now).advanced(by: max(duration, .zero))
        return horizon
    }

    mutating func extendHorizonToNextDeadline() -> ManualClock.Instant? {
        guard let deadline = entries.first?.sleeper.deadline else { return nil }

        horizon = max(horizon, deadline)
        return deadline
    }

    /// Moves the time to the next deadline, or to the target if there is no deadline until then.
    ///
    /// Both are one transition. A sleeper that arrived in between would sleep past its deadline.
    mutating func wakeNext(through target: ManualClock.Instant? = nil) -> Wake? {
        guard let next = entries.first, next.sleeper.deadline <= target ?? next.sleeper.deadline else {
            if let target { move(to: target) }
            return nil
        }

        move(to: next.sleeper.deadline)
        entries.removeFirst()
        return Wake(sleeper: next.sleeper, resumption: .wake(next.continuation))
    }

    private mutating func move(to instant: ManualClock.Instant) {
        now = max(now, instant)
    }
}

// MARK: - Parts

extension WakeList {
    struct Wake {
        let sleeper: ManualClock.Sleeper
        let resumption: Resumption
    }

    /// The continuations to resume, and how.
    enum Resumption {
        case nothing
        case wake(CheckedContinuation<Void, any Error>)
        case cancel(CheckedContinuation<Void, any Error>)
        case answer([CheckedContinuation<[ManualClock.Sleeper], Never>], [ManualClock.Sleeper])

        func resume() {
            switch self {
            case .nothing: break
            case .wake(let continuation): continuation.resume()
            case .cancel(let continuation): continuation.resume(throwing: CancellationError())
            case .answer(let continuations, let sleepers): continuations.forEach { $0.resume(returning: sleepers) }
            }
        }
    }

    private struct Entry {
        let sleeper: ManualClock.Sleeper
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let id: UInt64
        let count: Int
        let continuation: CheckedContinuation<[ManualClock.Sleeper], Never>
    }

    /// Returns where to insert a sleeper: by deadline, after all others with the same deadline.
    private func insertionIndex(of sleeper: ManualClock.Sleeper) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sleeper.deadline <= sleeper.deadline { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func takeSatisfiedWatchers() -> [CheckedContinuation<[ManualClock.Sleeper], Never>] {
        let satisfied = watchers.filter { $0.count <= entries.count }
        if !satisfied.isEmpty { watchers.removeAll { $0.count <= entries.count } }
        return satisfied.map(\.continuation)
    }
}
