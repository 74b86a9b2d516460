/// What an iterator remembers between two values.
// @unchecked Sendable: nothing accesses it outside the core. The iteration that owns it only passes it in.
final class StateCursor<Value: Sendable>: SourceReader, @unchecked Sendable {
    private let query: StateQuery<Value>
    /// The selection from one state; nil for one from any states.
    private let selection: (any StateSelection<Value>)?
    /// Where it reads; nil before the first value and after the end.
    private var scope: ScopeNode?
    /// The state that it reads, if it is one; nil before the first value, and once that is gone.
    private var cell: AnyStateCell?
    /// What was read, as it was at that time; nil before the first value.
    private var seen: [SeenSource]?
    private var hasEnded = false
    /// Ends the present wait; nil if there is none.
    private var signal: Signal?
    /// The number of what ends the iteration with the run through whose context it is made.
    private var ending: UInt64?
    /// The last value of a selection. Whole states are told apart by their versions.
    private var last: Last<Value>?
    /// A value that the reader still gets: the first that met a condition, or the last of what has gone.
    private var kept: Value?

    init(_ query: StateQuery<Value>) {
        self.query = query
        selection = if case .state(let selection) = query.subject { selection } else { nil }
    }

    /// Returns the newest value if it differs from the last one, and otherwise what to wait for.
    ///
    /// - Parameter caller: Where the reader reads.
    func pull(from readers: Readers, for caller: Caller) -> StatePull<Value> {
        if scope == nil, !hasEnded {
            if isLoading(for: caller, in: readers) { return wait() }
            if !places.isEmpty, readers.tree.scope(of: caller) == nil {
                // The load that it has waited for has failed, or isn't wanted any more.
                hasEnded = true
            } else if let missing = begin(for: caller, in: readers) {
                hasEnded = true
                return .missing(missing)
            }
        }
        if let value = kept.take() ?? newValue(in: readers) { return .value(value) }
        if scope?.isOpen != true || !readers.isOpen || (selection != nil && cell == nil) { hasEnded = true }
        guard !hasEnded else {
            (scope, cell, seen, last) = (nil, nil, nil, nil)
            stopFollowing()
            return .end
        }
        return wait()
    }

    private func wait() -> StatePull<Value> {
        // Copies of an iterator share this, and may wait at the same time.
        let signal = signal ?? Signal()
        self.signal = signal
        return .wait(signal)
    }

    /// Whether the instance is being loaded. If so, this follows which instances there are.
    private func isLoading(for caller: Caller, in readers: Readers) -> Bool {
        guard readers.isOpen, let address = caller.scope, caller.context == nil,
            readers.tree.loads(for: address) != nil
        else { return false }
        let log = ReadLog()
        _ = readers.reader(at: readers.tree.root, noting: log).contains(address)
        follow(log.sources.map(\.source))
        return true
    }

    func endWait() { signal.take()?.fire() }

    /// Ends the iteration with a run.
    ///
    /// - Parameter addWait: Adds a wait that ends with the run, and returns its number.
    func end(withRun addWait: (StateCursor) -> UInt64?) { if ending == nil { ending = addWait(self) } }

    /// The iteration is over.
    ///
    /// - Returns: The number of the wait that would have ended it.
    func close() -> UInt64? {
        stopFollowing()
        return ending.take()
    }

    /// Finds the scope, and makes sure that there is something to read.
    ///
    /// - Returns: What is missing, which is reported.
    private func begin(for caller: Caller, in readers: Readers) -> Relux.StoreError? {
        guard readers.isOpen, let scope = readers.tree.scope(of: caller) else {
            return readers.reader(for: caller).reportMissing(nil, at: query.site)
        }
        if let selection {
            cell = scope.cell(of: ObjectIdentifier(selection.state))
            guard cell != nil else {
                return readers.reader(for: caller).reportMissing(selection.state, at: query.site)
            }
        }
        self.scope = scope
        return nil
    }

    /// The present value, if it is one that the reader hasn't had.
    private func newValue(in readers: Readers) -> Value? {
        guard !hasEnded, let scope, scope.isOpen, readers.isOpen, seen?.contains(where: \.isOutdated) ?? true else {
            return nil
        }
        let value: Value
        switch query.subject {
        case .state(let selection):
            guard let cell else { return nil }
            see([SeenSource(cell.source)], in: scope)
            guard let selected = selection.value(in: cell) else { return nil }
            value = selected
        case .reader(let select):
            let log = ReadLog()
            guard let selected = try? select(readers.reader(at: scope, noting: log)) else {
                hasEnded = true
                return nil
            }
            see(log.sources, in: scope)
            value = selected
        }
        guard let differ = query.differ else { return value }
        if let last, !differ(last.value, value) { return nil }
        last = Last(value)
        return value
    }

    private func see(_ sources: [SeenSource], in scope: ScopeNode) {
        seen = sources
        follow(sources.map(\.source) + [scope.existence])
    }

    /// Ends the wait if the change concerns the reader. A selection from one state is made in place, so that a reader
    /// whose selection is unchanged continues to wait.
    override func sourceChanged(in readers: Readers) {
        if cell?.source.isGone == true { cell = nil }
        if signal != nil, isConcerned { endWait() }
    }

    private var isConcerned: Bool {
        guard let selection, let cell, query.differ != nil, scope?.isOpen == true else { return true }
        guard !query.wantsFirst else { return keepFirst(selection, cell) }
        guard let last else { return true }
        var differs = false
        selection.pass(cell, ifNot: last.value) { _ in differs = true }
        return differs
    }

    // inline(never): the lookups of metadata that an optional value needs would precede every comparison.
    @inline(never)
    private func keepFirst(_ selection: any StateSelection<Value>, _ cell: AnyStateCell) -> Bool {
        kept = selection.value(in: cell)
        return kept != nil
    }

    /// Keeps the last value for the reader. What belongs to other scopes goes on without the reader.
    override func keepLast(ofScope removed: UInt64, in readers: Readers) {
        guard selection != nil || scope?.serial == removed else { return }
        let isConcerned = seen?.contains { $0.isOutdated && $0.source.scope == removed } == true
        let hasFirst = query.wantsFirst && kept != nil
        if isConcerned, !hasFirst, let value = newValue(in: readers) { kept = value }
        endWait()
    }
}

/// The last value of an iterator, in an object of its own: in unspecialised generic code, an optional value costs
/// several lookups of metadata with each look at it.
private final class Last<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// What the store answers to an iterator.
enum StatePull<Value: Sendable>: Sendable {
    case value(Value)
    /// There is nothing new. The signal fires at the next change that concerns the reader.
    case wait(Signal)
    case end
    /// There was nothing to begin with: no such state or instance, or no store any more. This was reported.
    case missing(Relux.StoreError)
}
