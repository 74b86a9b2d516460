/// The observers and failure streams of a store. Only ``tell(_:)`` calls an observer.
///
/// - Isolation: The core's.
final class Reporter {
    private var observers: [any Relux.StoreObserver]
    private var failureStreams: [StreamBuffer<Relux.FailureRecord>] = []
    private let clock: StoreClock
    /// When the active runs started, if there are observers.
    private var startTimes: [RunID: Duration] = [:]
    /// Stored, because every action asks.
    private(set) var hasObservers: Bool

    init(_ observers: [any Relux.StoreObserver], _ clock: StoreClock) {
        (self.observers, self.clock, hasObservers) = (observers, clock, !observers.isEmpty)
    }

    /// Releases the observers: they may hold a dispatcher, and therefore this store.
    func releaseObservers() { (observers, hasObservers) = ([], false) }

    func tell(_ body: (any Relux.StoreObserver) -> Void) {
        for observer in observers { body(observer) }
    }

    // MARK: Records

    func refused(
        _ reason: @autoclosure () -> Relux.Refusal.Reason, action: (any Relux.Action)? = nil,
        of state: (any Relux.State.Type)? = nil, isPerformed: Bool = false, at site: Relux.CallSite?
    ) {
        guard hasObservers else { return }
        let refusal = Relux.Refusal(
            reason: reason(), action: action, state: state, isPerformed: isPerformed, callSite: site, time: clock.now()
        )
        tell { $0.refused(refusal) }
    }

    func runStarted(_ run: some ActingRun) {
        guard hasObservers else { return }
        var record = run.record
        record.startTime = clock.now()
        startTimes[record.id] = record.startTime
        tell { $0.runStarted(record) }
    }

    func runEnded(_ run: some ActingRun, _ outcome: Relux.RunOutcome, lateError: (any Error)? = nil) {
        guard hasObservers else { return }
        var record = run.record
        record.startTime = startTimes.removeValue(forKey: record.id)
        record.endTime = clock.now()
        tell { $0.runEnded(record, outcome, lateError: lateError) }
    }

    // MARK: Failures

    func failed(_ run: Relux.RunRecord, _ error: any Error) {
        tell { $0.failureUnreceived(of: run, error) }
        guard !failureStreams.isEmpty else { return }
        let failure = Relux.FailureRecord(error: error, run: run, time: clock.now())
        for stream in failureStreams { stream.append(failure) }
    }

    func add(_ stream: StreamBuffer<Relux.FailureRecord>) { failureStreams.append(stream) }

    func remove(_ stream: any AnyStreamBuffer) { failureStreams.removeAll { $0 === stream } }

    func finishStreams() {
        for stream in failureStreams { stream.finish() }
        failureStreams = []
    }
}
