/// Who speaks to the store: nobody in particular, or a run.
struct Speaker: Sendable {
    /// The run, or 0.
    let run: RunTable.RunID

    /// The run, where it speaks through its own context.
    ///
    /// A context speaks for its run for ever: once the run has ended it can't write any more. A store or a dispatcher
    /// that is used inside a run's task speaks for the run as long as that lasts, and for itself afterwards.
    let handle: RunHandle?

    static let outside = Speaker(run: 0, handle: nil)

    private init(run: RunTable.RunID, handle: RunHandle?) {
        self.run = run
        self.handle = handle
    }

    /// The run that speaks through its context.
    init(_ handle: RunHandle) {
        self.init(run: handle.record.id, handle: handle)
    }

    /// Whoever's task this is.
    // No initialiser: that would own the engine, and retain it for each call.
    static func ofCurrentTask(in engine: Engine) -> Speaker {
        guard let current = CurrentRun.handle, current.engine === engine else { return .outside }
        return Speaker(run: current.record.id, handle: nil)
    }
}

/// The run whose task this is.
enum CurrentRun {
    /// Inherited by child tasks, and by `Task { }`; not by detached tasks.
    @TaskLocal static var handle: RunHandle?
}
