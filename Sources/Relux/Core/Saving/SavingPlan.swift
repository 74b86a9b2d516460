/// What is done to the stored value of a state.
enum SavingOperation: Sendable, Equatable {
    case save
    case erase
}

/// What has yet to be saved of one state, and when.
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

    private struct Running {
        let operation: SavingOperation
        var waits: [Wait]
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
    /// The groups that wait for the save that is to come.
    private var saveWaits: [Wait] = []
    /// The groups that wait for the erasure that is to come.
    private var erasureWaits: [Wait] = []

    var isRunning: Bool { running != nil }

    /// Whether nothing is left to do.
    var isDone: Bool { running == nil && !isUnsaved && !isToBeErased }

    /// Whether something happens without a further request.
    var isBusy: Bool { running != nil || due != nil }

    // MARK: Requests

    /// The value has become worth saving.
    ///
    /// - Parameters:
    ///   - deadline: When it must be saved, unless it is to be saved earlier anyway.
    ///   - savesAnything: Whether it must be saved even if it changes back.
    mutating func noteChange(by deadline: Duration, savingAnything savesAnything: Bool = false) {
        isUnsaved = true
        if savesAnything { self.savesAnything = true }
        bringForward(to: deadline)
    }

    /// Requests an erasure, and forgets what has not been saved.
    mutating func noteErasure(at now: Duration) {
        isToBeErased = true
        erasureWaits += forgetSave()
        running?.isForgotten = true
        bringForward(to: now)
    }

    /// Forgets what has not been saved.
    ///
    /// - Returns: The waits for that.
    mutating func forgetChange() -> [Wait] {
        running?.isForgotten = true
        if !isToBeErased { due = nil }
        return forgetSave()
    }

    private mutating func forgetSave() -> [Wait] {
        defer { (isUnsaved, savesAnything, saveWaits) = (false, false, []) }
        return saveWaits
    }

    /// Makes the remaining work due now.
    mutating func hurry(at now: Duration) {
        if isUnsaved || isToBeErased { bringForward(to: now) }
    }

    /// As ``hurry(at:)``, but failed work still waits for another request.
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
    mutating func add(_ wait: Wait) -> Bool {
        switch (isUnsaved, isToBeErased) {
        case (true, _): saveWaits.append(wait)
        case (false, true): erasureWaits.append(wait)
        case (false, false): running?.waits.append(wait)
        }
        return !isDone
    }

    /// Gives up waits.
    mutating func removeWaits(where isOver: (Wait) -> Bool) {
        running?.waits.removeAll(where: isOver)
        erasureWaits.removeAll(where: isOver)
        saveWaits.removeAll(where: isOver)
    }

    mutating func removeAllWaits() -> [Wait] {
        defer {
            running?.waits = []
            (erasureWaits, saveWaits) = ([], [])
        }
        return (running?.waits ?? []) + erasureWaits + saveWaits
    }

    // MARK: Operations

    func next(at now: Duration) -> Step {
        guard running == nil, isUnsaved || isToBeErased, let due else { return .rest }
        guard due <= now else { return .wake(at: due) }
        return .start(isToBeErased ? .erase : .save)
    }

    /// The operation that was asked for has started.
    mutating func start(_ operation: SavingOperation) {
        switch operation {
        case .save:
            running = Running(operation: .save, waits: forgetSave())
        case .erase:
            running = Running(operation: .erase, waits: erasureWaits)
            (isToBeErased, erasureWaits) = (false, [])
        }
        if !isUnsaved { due = nil }
    }

    /// The operation has ended.
    ///
    /// - Returns: The waits that end with it.
    mutating func end(failed: Bool) -> [Wait] {
        guard let ended = running.take() else { return [] }
        guard failed else { return ended.waits }
        switch ended.operation {
        case .erase: isToBeErased = true
        case .save where ended.isForgotten: break
        case .save: (isUnsaved, savesAnything) = (true, true)
        }
        if ended.isFollowed { return ended.waits }
        // Without a new request, nothing follows, and nobody may wait for it.
        due = nil
        return ended.waits + removeAllWaits()
    }
}
