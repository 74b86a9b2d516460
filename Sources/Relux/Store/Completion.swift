/// The end of what an action, a batch or a reset set off: a group of runs, seen from those who await it.
///
/// - Isolation: Written inside the store, awaited anywhere.
final class Completion: Sendable {
    /// What became of the runs.
    struct Summary: Sendable {
        /// What the flow ended with, if there was one.
        var flow: Outcome?
        var failures: [any Error] = []
        var wasCancelled = false
        var wasSuperseded = false
        var wasDropped = false
        /// Whether the time of a timeout was over.
        var isExpired = false
        /// What kept the runs from being set off at all.
        var refusal: Relux.EffectError?
    }

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

    let group: RunTable.GroupID
    private let engine: Engine
    private let ended = Signal()
    private let contents = Lock((summary: Summary(), answer: Answer.nobody, isAbandoned: false))

    init(group: RunTable.GroupID, _ engine: Engine) {
        self.group = group
        self.engine = engine
    }

    var answer: Answer {
        get { contents.withLock { $0.answer } }
        set { contents.withLock { $0.answer = newValue } }
    }

    /// Whether the awaiting task was cancelled, perhaps before it reached the store.
    var isAbandoned: Bool { contents.withLock { $0.isAbandoned } }

    var hasEnded: Bool { ended.hasFired }

    var summary: Summary { contents.withLock { $0.summary } }

    /// Notes that the task that performs was cancelled, and cancels what it has performed by then.
    func abandon() {
        contents.withLock { $0.isAbandoned = true }
        engine.post { [group] core in core.cancel(group: group) }
    }

    /// Adds to the summary. Nobody sees it before the end.
    func note(_ change: (inout Summary) -> Void) {
        contents.withLock { change(&$0.summary) }
    }

    /// Resumes those who wait.
    func end() {
        ended.fire()
    }

    /// Waits for the end, whatever happens to the task.
    nonisolated(nonsending) func wait() async -> Summary {
        await ended.wait()
        return summary
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
        let speaker = Speaker(currentTaskOf: engine)
        guard speaker.run != 0 else { return await ended.waitUnlessCancelled() ? .ended : .cancelled }
        if let error = await engine.enter({ core in core.wait(speaker, for: self) }) { return .never(error) }
        let hasEnded = await withTaskCancellationHandler {
            await ended.waitUnlessCancelled()
        } onCancel: {
            // Posted here, and not by the task once it has heard of it: nobody finds a circle in between.
            engine.post { [group] core in core.table.stopWaiting(speaker.run, for: group) }
        }
        return hasEnded ? .ended : .cancelled
    }
}

extension Completion.Summary {
    /// What `perform` returns or throws.
    func result<Output>() throws(Relux.EffectError) -> Output {
        if let refusal { throw refusal }
        switch flow {
        case .finished(let value):
            guard let output = value as? Output else { throw .unhandled }
            return output
        case .failed(let error): throw Relux.EffectError(error)
        case .cancelled: throw .cancelled
        case .superseded: throw .superseded
        case .dropped: throw .dropped
        case nil: break
        }
        if let error = failures.first { throw Relux.EffectError(error) }
        if wasCancelled { throw .cancelled }
        if wasSuperseded { throw .superseded }
        if wasDropped { throw .dropped }
        guard let output = () as? Output else { throw .unhandled }
        return output
    }
}
