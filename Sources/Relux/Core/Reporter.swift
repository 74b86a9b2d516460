/// Reports what happens in a store to its observers and failure streams.
///
/// - Isolation: The core's.
final class Reporter {
    /// Nil if there are none.
    private var observers: ObserverList?
    // Unmanaged: `observers` holds it, and both change together, between two visits.
    // exclusivity(unchecked): no observer can change it. The check would cost a tenth of a report.
    @exclusivity(unchecked) private var unownedObservers: Unmanaged<ObserverList>?
    private struct FailureStream {
        /// In order of creation.
        let number: UInt64
        let buffer: StreamBuffer<Relux.FailureRecord>
    }

    private var failureStreams: [ObjectIdentifier: FailureStream] = [:]
    private let clock: StoreClock
    /// When the active runs started, if there are observers.
    @exclusivity(unchecked) private var startTimes = SerialMap<Duration>()

    init(_ observers: [any Relux.StoreObserver], _ clock: StoreClock) {
        self.observers = ObserverList(observers)
        unownedObservers = self.observers.map { .passUnretained($0) }
        self.clock = clock
    }

    @inline(__always)
    var hasObservers: Bool { unownedObservers != nil }

    /// Releases the observers: they may hold a dispatcher, and therefore this store.
    func releaseObservers() { (observers, unownedObservers) = (nil, nil) }

    /// Calls every observer.
    func tell(_ body: (any Relux.StoreObserver) -> Void) { observers?.tell(body) }

    // MARK: Actions

    /// Reports an action to every observer.
    ///
    /// - Parameters:
    ///   - states: Those whose reducers have run.
    ///   - scope: The instance that took it; nil for the root.
    ///   - cause: The run that it came from; nil if it came from outside.
    func reduced(
        _ action: some Relux.Action, numbered sequence: UInt64, of states: [any Relux.State.Type],
        in scope: ScopeAddress?, from cause: RunHandle?, at site: Relux.CallSite, isPerformed: Bool,
        isAwaited: Bool, _ core: isolated Core
    ) {
        let reduction = Reduction(
            of: states, in: scope.map { Relux.Scope(core, $0) }, from: cause, isPerformed: isPerformed,
            isAwaited: isAwaited, clock
        )
        report(Relux.ActionRecord(sequence: sequence, action: action, callSite: site, reduction), core)
        reduction.fixTime()
    }

    /// Reports an action that no run caused and nobody awaits.
    ///
    /// Unless an observer keeps the record, this neither allocates nor reads the clock.
    @inline(__always)
    func reducedFromOutside(
        _ action: some Relux.Action, numbered sequence: UInt64, on route: AnyRoute, at site: Relux.CallSite,
        _ core: isolated Core
    ) {
        var record = Relux.ActionRecord(
            sequence: sequence, action: action, callSite: site, route.takeReduction(in: core)
        )
        report(record, core)
        if isKnownUniquelyReferenced(&record.reduction) {
            record.reduction.forgetTime()
            route.spareReduction = record.reduction
        } else {
            record.reduction.fixTime()
            // The next action of the type concerns the same states.
            route.spareReduction = Reduction(of: record.reduction.states, in: record.reduction.scope, clock)
        }
    }

    @inline(__always)
    private func report(_ record: Relux.ActionRecord, _ core: isolated Core) {
        unownedObservers?._withUnsafeGuaranteedRef { observers in
            guard observers.isLone else { return reportToAll(record, core) }
            observers.first.actionReduced(record, leaving: core.reader(at: .scope(core.root)))
        }
    }

    @inline(never)
    private func reportToAll(_ record: Relux.ActionRecord, _ core: isolated Core) {
        // The time that one observer takes must not count in what the next one reads.
        record.reduction.fixTime()
        tell { observer in observer.actionReduced(record, leaving: core.reader(at: .scope(core.root))) }
    }

    // MARK: Modules

    /// Reports a module whose states are there.
    ///
    /// - Parameter scope: The instance, if the module is one or is registered in one; nil for the root.
    func registered(_ module: any Relux.Module.Type, in scope: Relux.Scope?, _ core: isolated Core) {
        tell { observer in
            observer.moduleRegistered(module, in: scope, leaving: core.reader(at: .scope(core.root)))
        }
    }

    // MARK: Refusals

    // inline(never): this would otherwise be copied to each place that refuses something.
    @inline(never)
    func refused(
        _ reason: Relux.Refusal.Reason, action: (any Relux.Action)? = nil, isPerformed: Bool = false,
        at site: Relux.CallSite?
    ) {
        guard hasObservers else { return }
        let refusal = Relux.Refusal(
            reason: reason, action: action, isPerformed: isPerformed, callSite: site, time: clock.now()
        )
        tell { observer in observer.refused(refusal) }
    }

    // MARK: Runs

    func runStarted(_ run: Relux.RunRecord) {
        guard hasObservers else { return }
        var run = run
        let time = clock.now()
        run.times = Relux.RunRecord.Times(start: time)
        startTimes.set(run.id, to: time)
        tell { observer in observer.runStarted(run) }
    }

    func runEnded(_ run: Relux.RunRecord, _ result: RunResult, lateError: (any Error)? = nil) {
        guard hasObservers else { return }
        var run = run
        run.times = Relux.RunRecord.Times(start: startTimes.remove(run.id), end: clock.now())
        let outcome = Relux.RunOutcome(result)
        tell { observer in observer.runEnded(run, outcome, lateError: lateError) }
    }

    func failed(_ run: Relux.RunRecord, _ error: any Error) {
        tell { observer in observer.failureUnreceived(of: run, error) }
        guard !failureStreams.isEmpty else { return }
        let failure = Relux.FailureRecord(error: error, run: run, time: clock.now())
        for stream in failureStreamsInOrder { stream.append(failure) }
    }

    // MARK: Failure streams

    var failureStreamCount: Int { failureStreams.count }

    /// Ordered, so that readers are resumed in the same order each time.
    private var failureStreamsInOrder: [StreamBuffer<Relux.FailureRecord>] {
        Array(failureStreams.values).ascending { $0.number }.map(\.buffer)
    }

    /// - Parameter number: Higher than those of all streams before.
    func add(_ stream: StreamBuffer<Relux.FailureRecord>, numbered number: UInt64) {
        failureStreams[ObjectIdentifier(stream)] = FailureStream(number: number, buffer: stream)
    }

    func remove(_ stream: StreamBuffer<Relux.FailureRecord>) { failureStreams[ObjectIdentifier(stream)] = nil }

    func finishStreams() {
        for stream in failureStreamsInOrder { stream.finish() }
        failureStreams = [:]
    }
}
