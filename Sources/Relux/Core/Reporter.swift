/// Reports what happens in a store to its observers and failure streams. Only ``tell(_:)`` and ``tell(in:_:)`` call an
/// observer.
///
/// - Isolation: The core's.
final class Reporter {
    private var observers: [any Relux.StoreObserver]
    var failureStreams = ArrivalList<StreamBuffer<Relux.FailureRecord>>()
    private let clock: StoreClock
    /// When the active runs started, if there are observers.
    private var startTimes: [RunID: Duration] = [:]

    init(_ observers: [any Relux.StoreObserver], _ clock: StoreClock) {
        (self.observers, self.clock) = (observers, clock)
    }

    var hasObservers: Bool { !observers.isEmpty }

    /// Releases the observers: they may hold a dispatcher, and therefore this store.
    func releaseObservers() { observers = [] }

    func tell(_ body: (any Relux.StoreObserver) -> Void) {
        for observer in observers { body(observer) }
    }

    /// Tells what has changed states, with a reader of them.
    func tell(in core: isolated Core, _ body: (any Relux.StoreObserver, borrowing Relux.StateReader) -> Void) {
        for observer in observers { body(observer, Relux.StateReader(at: core.root, in: core)) }
    }

    // MARK: Records

    func refused(
        _ reason: Relux.Refusal.Reason, action: (any Relux.Action)? = nil, of state: (any Relux.State.Type)? = nil,
        isPerformed: Bool = false, at site: Relux.CallSite?
    ) {
        guard hasObservers else { return }
        let refusal = Relux.Refusal(
            reason: reason, action: action, state: state, isPerformed: isPerformed, callSite: site, time: clock.now()
        )
        tell { $0.refused(refusal) }
    }

    func runStarted(_ run: Relux.RunRecord) {
        guard hasObservers else { return }
        var run = run
        run.startTime = clock.now()
        startTimes[run.id] = run.startTime
        tell { $0.runStarted(run) }
    }

    func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)? = nil) {
        guard hasObservers else { return }
        var run = run
        run.startTime = startTimes.removeValue(forKey: run.id)
        run.endTime = clock.now()
        tell { $0.runEnded(run, outcome, lateError: lateError) }
    }

    func failed(_ run: Relux.RunRecord, _ error: any Error) {
        tell { $0.failureUnreceived(of: run, error) }
        guard !failureStreams.isEmpty else { return }
        let failure = Relux.FailureRecord(error: error, run: run, time: clock.now())
        failureStreams.forEach { _, stream in stream.append(failure) }
    }

    func finishStreams() {
        for stream in failureStreams.removeAll() { stream.finish() }
    }
}
