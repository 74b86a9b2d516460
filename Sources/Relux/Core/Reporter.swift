/// Reports what happens in a store to its observers and failure streams.
///
/// - Isolation: The core's.
final class Reporter {
    // exclusivity(unchecked), here and below: changed only between two visits. The checks would cost a tenth of a
    // report.
    @exclusivity(unchecked) private var observers: [any Relux.StoreObserver]
    /// Those observers that also read the states.
    @exclusivity(unchecked) private var stateObservers: [any StateObserver]
    private var failureStreams: [StreamBuffer<Relux.FailureRecord>] = []
    private let clock: StoreClock

    init(_ observers: [any Relux.StoreObserver], _ clock: StoreClock) {
        self.observers = observers
        stateObservers = observers.compactMap { $0 as? any StateObserver }
        self.clock = clock
    }

    var hasObservers: Bool { !observers.isEmpty }

    /// Releases the observers: they may hold a dispatcher, and therefore this store.
    func releaseObservers() { (observers, stateObservers) = ([], []) }

    /// Calls every observer.
    func tell(_ body: (any Relux.StoreObserver) -> Void) {
        for observer in observers { body(observer) }
    }

    // MARK: Actions

    func reduced<A: Relux.Action>(
        _ action: A, numbered sequence: UInt64, on route: AnyRoute?, from cause: RunHandle?,
        at site: Relux.CallSite, isPerformed: Bool, _ states: StateTable
    ) {
        let record = Relux.ActionRecord(
            sequence: sequence, action: action, callSite: site, source: cause, time: clock.now(),
            states: route?.states ?? [], isPerformed: isPerformed
        )
        for observer in observers { observer.actionReduced(record) }
        for observer in stateObservers {
            observer.actionReduced(record, leaving: Relux.StateReader(states, self))
        }
    }

    func refused(_ reason: Relux.Refusal.Reason, action: (any Relux.Action)? = nil, at site: Relux.CallSite?) {
        guard hasObservers else { return }
        let refusal = Relux.Refusal(reason: reason, action: action, callSite: site, time: clock.now())
        tell { observer in observer.refused(refusal) }
    }

    // MARK: Runs

    func runStarted(_ run: Relux.RunRecord) {
        tell { observer in observer.runStarted(run) }
    }

    func runEnded(_ run: Relux.RunRecord, _ result: RunResult, lateError: (any Error)? = nil) {
        guard hasObservers else { return }
        let outcome = Relux.RunOutcome(result)
        tell { observer in observer.runEnded(run, outcome, lateError: lateError) }
    }

    func failed(_ run: Relux.RunRecord, _ error: any Error) {
        guard !failureStreams.isEmpty else { return }
        let failure = Relux.FailureRecord(error: error, run: run, time: clock.now())
        for stream in failureStreams { stream.append(failure) }
    }

    // MARK: Failure streams

    var failureStreamCount: Int { failureStreams.count }

    func add(_ stream: StreamBuffer<Relux.FailureRecord>) { failureStreams.append(stream) }

    func remove(_ stream: StreamBuffer<Relux.FailureRecord>) { failureStreams.removeAll { $0 === stream } }

    func finishStreams() {
        for stream in failureStreams { stream.finish() }
        failureStreams = []
    }
}
