import Synchronization

/// The end of what an action, a batch or a reset set off: a group of runs, seen from those who await it.
///
/// - Isolation: Written inside the store until its end, awaited anywhere, and read after its end.
final class Completion: Sendable {
    /// How a run ended, with its value.
    enum Outcome: Sendable {
        case finished(any Sendable)
        case failed(any Error)
        case cancelled
        case superseded
        case dropped
    }

    /// Whose failure the caller receives. All others go to the stream of failures.
    enum Answer: Sendable {
        /// No failure at all: the action was only dispatched, or promises a value that no flow gives.
        case nobody
        /// The first failure of a saga.
        case sagas
        case flow
    }

    /// What became of the runs, and whom it concerns.
    private struct Summary: Sendable {
        var answer = Answer.nobody
        /// Whether the end has come: nothing is noted any more.
        var isClosed = false
        /// Whether anything was noted at all.
        var hasNotes = false
        /// What the flow ended with, if there was one.
        var flow: Outcome?
        var failures: [any Error] = []
        var wasCancelled = false
        var wasSuperseded = false
        var wasDropped = false
        var isExpired = false
        /// What kept the runs from being set off at all.
        var refusal: Relux.EffectError?
    }

    let group: RunTable.GroupID
    private let engine: Engine
    private let ended = Latch()
    private let abandoned = Atomic(false)
    // nonisolated(unsafe): touched inside the store only, one call at a time, until `end` closes it and fires; then it
    // never changes again, and whoever has awaited the end reads it. No lock is taken for what nobody can see yet.
    @exclusivity(unchecked) private nonisolated(unsafe) var summary = Summary()

    init(group: RunTable.GroupID, _ engine: Engine) {
        self.group = group
        self.engine = engine
    }

    // MARK: Inside the store

    /// Whose failure the caller receives. Said before anything is noted.
    var answer: Answer {
        get { summary.answer }
        set { summary.answer = newValue }
    }

    /// Whether the awaiting task was cancelled, perhaps before it reached the store.
    var isAbandoned: Bool { abandoned.load(ordering: .acquiring) }

    func note(flow outcome: Outcome) {
        note { $0.flow = outcome }
    }

    func note(failure: any Error) {
        note { $0.failures.append(failure) }
    }

    func note(refusal: Relux.EffectError) {
        note { $0.refusal = refusal }
    }

    /// Notes that a run was cut short, if it was.
    func note(_ outcome: Outcome) {
        switch outcome {
        case .cancelled: note { $0.wasCancelled = true }
        case .superseded: note { $0.wasSuperseded = true }
        case .dropped: note { $0.wasDropped = true }
        case .finished, .failed: break
        }
    }

    func noteExpiry() {
        note { $0.isExpired = true }
    }

    private func note(_ change: (inout Summary) -> Void) {
        guard !summary.isClosed else { return }
        summary.hasNotes = true
        change(&summary)
    }

    /// Resumes those who wait. What is noted later is too late for them, and is not noted.
    func end() {
        summary.isClosed = true
        ended.fire()
    }

    // MARK: After the end

    /// What kept the runs from being set off at all.
    var refusal: Relux.EffectError? { summary.refusal }

    /// What the flow ended with, if there was one.
    var flow: Outcome? { summary.flow }

    var failures: [any Error] { summary.failures }

    /// Whether the time of a timeout was over.
    var isExpired: Bool { summary.isExpired }

    /// Whether a run was cancelled, superseded or dropped.
    var wasCutShort: Bool { summary.wasCancelled || summary.wasSuperseded || summary.wasDropped }

    /// What `perform` returns or throws.
    func result<Output>() throws(Relux.EffectError) -> Output {
        ended.noteWait()
        // unsafeBitCast: to the same type, which was just compared. `as?` would look its metadata up.
        if !summary.hasNotes, Output.self == Void.self { return unsafeBitCast((), to: Output.self) }
        return try notedResult()
    }

    private func notedResult<Output>() throws(Relux.EffectError) -> Output {
        if let refusal = summary.refusal { throw refusal }
        switch summary.flow {
        case .finished(let value):
            guard let output = value as? Output else { throw .unhandled }
            return output
        case .failed(let error): throw Relux.EffectError(error)
        case .cancelled: throw .cancelled
        case .superseded: throw .superseded
        case .dropped: throw .dropped
        case nil: break
        }
        if let error = summary.failures.first { throw Relux.EffectError(error) }
        if summary.wasCancelled { throw .cancelled }
        if summary.wasSuperseded { throw .superseded }
        if summary.wasDropped { throw .dropped }
        guard let output = () as? Output else { throw .unhandled }
        return output
    }

    // MARK: Anywhere

    var hasEnded: Bool { ended.hasFired }

    /// Notes that the task that performs was cancelled, and cancels what it has performed by then.
    func abandon() {
        abandoned.store(true, ordering: .releasing)
        engine.post { [group] core in core.cancel(group: group) }
    }

    /// Resumes a task at the end, with `true`.
    func enlist(_ continuation: UnsafeContinuation<Bool, Never>) {
        ended.enlist(continuation, key: 0)
    }

    /// Waits for the end, whatever happens to the task.
    nonisolated(nonsending) func wait() async {
        await ended.wait()
    }

    /// How a wait went.
    enum Waited {
        case ended
        /// The waiting task was cancelled.
        case cancelled
        /// The waiting task belongs to a run that would have waited for its own end.
        case never(Relux.EffectError)
    }

    /// Waits for the end, or for the cancellation of the task.
    ///
    /// Where the task belongs to a run, the store knows that it waits, so that a circle is found.
    nonisolated(nonsending) func waitUnlessCancelled() async -> Waited {
        if ended.hasFired { return .ended }
        let speaker = Speaker.ofCurrentTask(in: engine)
        if speaker.run != 0, let error = await engine.enter({ core in core.wait(speaker, for: self) }) {
            return .never(error)
        }
        return await waitUnlessCancelled(as: speaker.run)
    }

    /// Waits for the end, or for the cancellation of the task.
    ///
    /// - Parameter run: The run that the task belongs to, and that the store knows to wait; 0 if it belongs to none.
    /// - Returns: How the wait went.
    nonisolated(nonsending) func waitUnlessCancelled(as run: RunTable.RunID) async -> Waited {
        guard run != 0 else { return await ended.waitUnlessCancelled() ? .ended : .cancelled }
        let hasEnded = await withTaskCancellationHandler {
            await ended.waitUnlessCancelled()
        } onCancel: {
            // Posted here, and not by the task once it has heard of it: nobody finds a circle in between.
            engine.post { [group] core in core.table.stopWaiting(run, for: group) }
        }
        return hasEnded ? .ended : .cancelled
    }
}
