/// What has yet to be saved of one state, and when.
///
/// A pure state machine. The core notes what happens to the state, asks for the ``next(at:)`` step, and carries it out.
///
/// Changes and erasures are numbered requests. A save covers all requests before its start, and an erasure all up to
/// its own. A caller waits until the requests up to a number are covered.
struct SavingPlan {
    enum Operation: Sendable, Equatable {
        case save
        case erase
    }

    enum Step: Equatable {
        /// Nothing to do, or an operation is under way, or the last one failed and nothing has been requested since.
        case rest
        case wake(at: Duration)
        case start(Operation)
    }

    private struct Running {
        let operation: Operation
        let covers: UInt64
        /// Whether something was requested since it started that is to be carried out afterwards in any case.
        var isFollowed = false
        /// Whether the value that it saves was given up meanwhile, so that a failure has no further consequence.
        var isForgotten = false
    }

    private(set) var isUnsaved = false
    private(set) var isToBeErased = false
    /// Whether any value is worth saving, because what is stored isn't known.
    private(set) var savesAnything = false
    private var running: Running?
    /// When the next operation starts; nil if it waits for another request.
    private var due: Duration?
    private var requested: UInt64 = 0
    private var done: UInt64 = 0
    private var lastErasure: UInt64 = 0
    private var waits: [(through: UInt64, group: GroupID)] = []

    var isRunning: Bool { running != nil }

    /// Whether the newest value is what is stored.
    var isDone: Bool { running == nil && !isUnsaved && !isToBeErased }

    /// Whether something happens without a further request.
    var isBusy: Bool { running != nil || due != nil }

    /// Whether all requests have been carried out up to a number of them.
    func hasDone(_ number: UInt64) -> Bool { done >= min(number, requested) }

    /// The number of requests so far.
    var mark: UInt64 { requested }

    // MARK: Requests

    /// The value has become worth saving.
    ///
    /// - Parameters:
    ///   - deadline: When it must be saved, unless it is to be saved earlier anyway.
    ///   - savesAnything: Whether it must be saved even if it changes back.
    mutating func noteChange(by deadline: Duration, savingAnything savesAnything: Bool = false) {
        requested += 1
        isUnsaved = true
        if savesAnything { self.savesAnything = true }
        bringForward(to: deadline)
    }

    /// What was saved is to be removed, and what has not been saved is forgotten.
    mutating func noteErasure(at now: Duration) {
        requested += 1
        (isToBeErased, lastErasure) = (true, requested)
        (isUnsaved, savesAnything) = (false, false)
        running?.isForgotten = true
        bringForward(to: now)
    }

    /// What has not been saved yet needs no longer be saved.
    ///
    /// - Returns: The waits that have become vain.
    mutating func forgetChange() -> [GroupID] {
        (isUnsaved, savesAnything) = (false, false)
        running?.isForgotten = true
        if !isToBeErased { due = nil }
        // What is under way, or is to be erased, is still waited for.
        let kept = max(done, running?.covers ?? 0, isToBeErased ? lastErasure : 0)
        requested = kept
        return takeWaits { $0 > kept }
    }

    /// What is left to do is to be done without waiting for its deadline.
    mutating func hurry(at now: Duration) {
        if isUnsaved || isToBeErased { bringForward(to: now) }
    }

    /// The same, but what has failed still waits for another request.
    mutating func hurryUnlessFailed(at now: Duration) {
        if due != nil { hurry(at: now) }
    }

    private mutating func bringForward(to time: Duration) {
        due = min(due ?? time, time)
        running?.isFollowed = true
    }

    /// Lets a group wait for everything that was requested so far.
    ///
    /// - Returns: Whether there is anything to wait for.
    mutating func add(_ group: GroupID) -> Bool {
        guard done < requested else { return false }
        waits.append((requested, group))
        return true
    }

    mutating func takeAllWaits() -> [GroupID] { takeWaits { _ in true } }

    private mutating func takeWaits(where isTaken: (UInt64) -> Bool) -> [GroupID] {
        defer { waits.removeAll { isTaken($0.through) } }
        return waits.filter { isTaken($0.through) }.map(\.group)
    }

    // MARK: Operations

    func next(at now: Duration) -> Step {
        guard running == nil, isUnsaved || isToBeErased, let due else { return .rest }
        guard due <= now else { return .wake(at: due) }
        return .start(isToBeErased ? .erase : .save)
    }

    /// The operation that was asked for has started.
    mutating func start(_ operation: Operation) {
        switch operation {
        case .save:
            running = Running(operation: .save, covers: requested)
            (isUnsaved, savesAnything) = (false, false)
        case .erase:
            running = Running(operation: .erase, covers: lastErasure)
            isToBeErased = false
        }
        if !isUnsaved { due = nil }
    }

    /// The value turned out to be what is stored.
    ///
    /// - Returns: The waits that end.
    mutating func skip() -> [GroupID] {
        (isUnsaved, due, done) = (false, nil, requested)
        return takeAllWaits()
    }

    /// The operation has ended.
    ///
    /// - Returns: The waits that end with it.
    mutating func end(failed: Bool) -> [GroupID] {
        guard let ended = running.take() else { return [] }
        guard failed else {
            done = max(done, ended.covers)
            return takeWaits { $0 <= ended.covers }
        }
        switch ended.operation {
        case .erase: isToBeErased = true
        case .save where ended.isForgotten: done = max(done, ended.covers)
        case .save: (isUnsaved, savesAnything) = (true, true)
        }
        // Without a new request, nothing follows, and nobody may wait for it.
        if !ended.isFollowed { due = nil }
        return takeWaits { !ended.isFollowed || $0 <= ended.covers }
    }
}
