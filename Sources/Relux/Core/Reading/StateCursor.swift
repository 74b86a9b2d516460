/// The memory of an iterator between two values.
// @unchecked Sendable: nothing accesses it outside the core. The iteration that owns it only passes it in.
final class StateCursor<Value: Sendable>: SelectionReader<Value>, @unchecked Sendable {
    /// Where it reads; nil before the first value and after the end.
    private var scope: ScopeNode?
    private var hasEnded = false
    /// Ends the present wait; nil if there is none.
    private var signal: Signal?
    /// The number of what ends the iteration with the run through whose context it is made.
    var ending: UInt64?

    /// Returns the newest value if it differs from the last one, and otherwise what to wait for.
    func pull(from readers: Readers) -> StatePull<Value> {
        if scope == nil, !hasEnded, let answer = begin(in: readers) { return answer }
        if let value = kept.take() ?? newValue(in: readers) { return .value(value) }
        guard !isOver else {
            hasEnded = true
            (scope, last) = (nil, nil)
            stopFollowing()
            return .end
        }
        return wait()
    }

    /// Whether there is nothing to read any more.
    private var isOver: Bool { hasEnded || scope?.isOpen != true || (selection != nil && cell == nil) }

    private func wait() -> StatePull<Value> {
        // Copies of an iterator share this, and may wait at the same time.
        let signal = signal ?? Signal()
        self.signal = signal
        return .wait(signal)
    }

    func endWait() { signal.take()?.fire() }

    /// Finds the scope, and makes sure that there is something to read.
    ///
    /// - Returns: The answer if there is nothing. What is missing is reported.
    private func begin(in readers: Readers) -> StatePull<Value>? {
        if readers.isLoading(for: caller) {
            awaitInstance(in: readers)
            return wait()
        }
        let found = readers.isOpen ? readers.tree.scope(of: caller) : nil
        let hasWaited = !places.isEmpty
        stopFollowing()
        if let selection { cell = found?.cell(of: selection.state) }
        guard let found, selection == nil || cell != nil else {
            hasEnded = true
            // The load that it has waited for has failed, or isn't wanted any more.
            if hasWaited, found == nil { return nil }
            return .missing(readers.reader(for: caller).reportMissing(selection?.state, at: query.site))
        }
        scope = found
        return nil
    }

    /// The present value, if it is one that the reader hasn't had.
    private func newValue(in readers: Readers) -> Value? {
        guard !isOver, let scope, places.isEmpty || places.contains(where: \.isOutdated) else { return nil }
        guard let value = select(at: scope, in: readers) else {
            hasEnded = selection == nil
            return nil
        }
        guard let differ = query.differ else { return value }
        if let last, !differ(last.value, value) { return nil }
        last = Last(value)
        return value
    }

    /// Ends the wait if the change concerns the reader. A selection from one state is made in place, so that a reader
    /// whose selection is unchanged continues to wait.
    override func sourceChanged(in readers: Readers) {
        // Another instance has come, or the one around its own.
        if scope == nil, readers.isLoading(for: caller) { return awaitInstance(in: readers) }
        if cell?.source.isGone == true { cell = nil }
        if signal != nil, isConcerned { endWait() }
    }

    private var isConcerned: Bool {
        guard let selection, let cell, scope?.isOpen == true else { return true }
        guard !query.wantsFirst else { return keepFirst(selection, cell) }
        guard let last else { return true }
        return selection.pass(cell, ifNot: last.value) { _ in }
    }

    // inline(never): the lookups of metadata that an optional value needs would precede every comparison.
    @inline(never)
    private func keepFirst(_ selection: any StateSelection<Value>, _ cell: AnyStateCell) -> Bool {
        kept = selection.value(in: cell)
        return kept != nil
    }

    /// Keeps the last value for the reader. What belongs to other scopes goes on without the reader.
    override func keepLast(ofScopes removed: Set<UInt64>, in readers: Readers) {
        guard let scope, selection != nil || removed.contains(scope.serial) else { return }
        let isConcerned = places.contains { $0.isOutdated && removed.contains($0.source.scope) }
        let hasFirst = query.wantsFirst && kept != nil
        if isConcerned, !hasFirst, let value = newValue(in: readers) { kept = value }
        endWait()
    }
}

/// The answer of the store to an iterator.
enum StatePull<Value: Sendable>: Sendable {
    case value(Value)
    /// There is nothing new. The signal fires at the next change that concerns the reader.
    case wait(Signal)
    case end
    /// There was nothing to begin with: no such state or instance, or no store any more. This was reported.
    case missing(Relux.StoreError)
}
