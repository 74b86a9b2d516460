import Synchronization

/// Who speaks to the store: nobody in particular, or a run.
struct Speaker: Sendable {
    /// The run, or 0.
    let run: RunTable.RunID

    /// Who the run is, where it speaks through its own context.
    ///
    /// A context speaks for its run for ever: once the run has ended it can't write any more. A store or a dispatcher
    /// that is used inside a run's task speaks for the run as long as that lasts, and for itself afterwards.
    let identity: RunIdentity?

    static let outside = Speaker(run: 0, identity: nil)

    private init(run: RunTable.RunID, identity: RunIdentity?) {
        self.run = run
        self.identity = identity
    }

    /// The run that speaks through its context.
    init(_ identity: RunIdentity) {
        self.init(run: identity.record.id, identity: identity)
    }

    /// Whoever's task this is.
    init(currentTaskOf engine: Engine) {
        guard let current = CurrentRun.value, current.engine === engine else {
            self = .outside
            return
        }
        self.init(run: current.id, identity: nil)
    }
}

/// A run's record, shared by all who speak for it.
final class RunIdentity: Sendable {
    let record: Relux.RunRecord
    /// For a watcher: the streams that reach back to its registration.
    let inbox: WatcherInbox?
    private let draws = Atomic<UInt64>(0)

    init(_ record: Relux.RunRecord, inbox: WatcherInbox? = nil) {
        self.record = record
        self.inbox = inbox
    }

    /// How many random numbers the run has drawn, this one included.
    func nextDraw() -> UInt64 {
        draws.add(1, ordering: .relaxed).newValue
    }
}

/// The run whose task this is.
struct CurrentRun: Sendable {
    let engine: Engine
    let id: RunTable.RunID

    /// Inherited by child tasks, and by `Task { }`; not by detached tasks.
    @TaskLocal static var value: CurrentRun?
}
