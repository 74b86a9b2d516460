/// An operation on the stored value of a state.
enum SavingOperation: Sendable, Equatable {
    case save
    case erase
}

/// The plan of what has yet to be saved of one state, and when.
///
/// A pure state machine. ``Savings`` notes what happens to the state, asks for the ``next(at:)`` step, and carries it
/// out.
///
/// At most one erasure and, after it, one save are still to come: an erasure covers what was noted before it, and the
/// save covers everything. A caller waits for the last operation that is under way or still to come.
struct SavingPlan<Wait> {
    enum Step: Equatable {
        /// Nothing to do, or an operation is under way, or the last one failed and nothing has been requested since.
        case rest
        case wake(at: Duration)
        case start(SavingOperation)
    }

    private struct Work {
        let operation: SavingOperation
        /// The groups that wait for it.
        var waits: [Wait] = []
    }

    /// The operation that is under way, if any, and those that are still to come.
    private var works: [Work] = []
    /// Whether the first operation is under way.
    private(set) var isRunning = false
    /// Whether something was requested since it started that is to be carried out afterwards in any case.
    private var isFollowed = false
    /// Whether the value that it saves was given up meanwhile, so that a failure has no further consequence.
    private var isForgotten = false
    /// Whether any value is worth saving, because what is stored isn't known.
    private(set) var savesAnything = false
    /// When the next operation starts; nil if it waits for another request.
    private var due: Duration?

    private var coming: ArraySlice<Work> { works.dropFirst(isRunning ? 1 : 0) }

    var isUnsaved: Bool { coming.last?.operation == .save }

    var isErasing: Bool { works.contains { $0.operation == .erase } }

    /// Whether nothing is left to do.
    var isDone: Bool { works.isEmpty }

    /// Whether something happens without a further request.
    var isBusy: Bool { isRunning || due != nil }

    // MARK: Requests

    /// The value has become worth saving.
    ///
    /// - Parameters:
    ///   - deadline: When it must be saved, unless it is to be saved earlier anyway.
    ///   - savesAnything: Whether it must be saved even if it changes back.
    mutating func noteChange(by deadline: Duration, savingAnything savesAnything: Bool = false) {
        if !isUnsaved { works.append(Work(operation: .save)) }
        if savesAnything { self.savesAnything = true }
        bringForward(to: deadline)
    }

    /// Requests an erasure, and forgets what has not been saved.
    mutating func noteErasure(at now: Duration) {
        let waits = coming.flatMap(\.waits)
        works.removeLast(coming.count)
        works.append(Work(operation: .erase, waits: waits))
        (savesAnything, isForgotten) = (false, true)
        bringForward(to: now)
    }

    /// Forgets what has not been saved.
    ///
    /// - Returns: The waits for that.
    mutating func forgetChange() -> [Wait] {
        (savesAnything, isForgotten) = (false, true)
        let forgotten = isUnsaved ? works.removeLast().waits : []
        if coming.isEmpty { due = nil }
        return forgotten
    }

    /// Makes the remaining work due now.
    mutating func hurry(at now: Duration) {
        if !coming.isEmpty { bringForward(to: now) }
    }

    private mutating func bringForward(to time: Duration) {
        due = min(due ?? time, time)
        isFollowed = true
    }

    /// Lets a group wait for everything that was requested so far.
    ///
    /// - Returns: Whether there is anything to wait for.
    mutating func add(_ wait: Wait) -> Bool {
        guard !isDone else { return false }
        works[works.count - 1].waits.append(wait)
        return true
    }

    /// Gives up waits.
    mutating func removeWaits(where isOver: (Wait) -> Bool) {
        for index in works.indices { works[index].waits.removeAll(where: isOver) }
    }

    mutating func removeAllWaits() -> [Wait] {
        defer { removeWaits { _ in true } }
        return works.flatMap(\.waits)
    }

    // MARK: Operations

    func next(at now: Duration) -> Step {
        guard !isRunning, let first = works.first, let due else { return .rest }
        return due <= now ? .start(first.operation) : .wake(at: due)
    }

    /// The operation that was asked for has started.
    mutating func start() {
        (isRunning, isFollowed, isForgotten) = (true, false, false)
        if works.first?.operation == .save { savesAnything = false }
        if coming.isEmpty { due = nil }
    }

    /// The operation has ended.
    ///
    /// - Returns: The waits that end with it.
    mutating func end(failed: Bool) -> [Wait] {
        isRunning = false
        let ended = works.removeFirst()
        guard failed else { return ended.waits }
        if ended.operation == .erase || !isForgotten {
            if works.first?.operation != ended.operation { works.insert(Work(operation: ended.operation), at: 0) }
            if ended.operation == .save { savesAnything = true }
        }
        if isFollowed { return ended.waits }
        // Without a new request, nothing follows, and nobody may wait for it.
        due = nil
        return ended.waits + removeAllWaits()
    }
}
