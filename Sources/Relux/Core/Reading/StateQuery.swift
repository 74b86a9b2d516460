/// What an iterator of values, or a follower, asks the store.
struct StateQuery<Value: Sendable>: Sendable {
    /// What is read.
    enum Subject: Sendable {
        /// One state: that of the module that owns it at first.
        case state(StateSelector<Value>)
        /// Any states, at one point of the total order.
        case reader(@Sendable (borrowing Relux.StateReader) throws -> Value)
    }

    let subject: Subject
    /// Whether two values differ; nil if each touch of the state counts.
    let differ: (@Sendable (Value, Value) -> Bool)?
    /// Whether the first value is what the reader wants, even if the state has changed again before the reader takes
    /// it.
    var wantsFirst = false
    let site: Relux.CallSite?
    /// What a follower shows while there is nothing to select from; nil for the last value.
    var otherwise: Value?

    /// Selects from one state; nil for a selection from any states.
    var selector: StateSelector<Value>? { if case .state(let selector) = subject { selector } else { nil } }

    /// A selection from one state.
    static func selection<S: Relux.State>(
        _ select: @escaping @Sendable (S) -> Value, at site: Relux.CallSite
    ) -> StateQuery where Value: Equatable {
        StateQuery(
            subject: .state(.init(S.self) { cell, pass in pass(select(cell.value)) }), differ: { $0 != $1 }, site: site)
    }

    /// A selection from any states.
    static func selection(
        _ select: @escaping @Sendable (borrowing Relux.StateReader) throws -> Value, at site: Relux.CallSite? = nil
    ) -> StateQuery where Value: Equatable {
        StateQuery(subject: .reader(select), differ: { $0 != $1 }, site: site)
    }
}

extension StateQuery where Value: Relux.State {
    /// The values of a whole state.
    static func state(_ type: Value.Type, at site: Relux.CallSite) -> StateQuery {
        StateQuery(subject: .state(.init(type) { cell, pass in pass(cell.value) }), differ: nil, site: site)
    }

    /// A state as soon as it meets a condition.
    static func condition(_ isMet: @escaping @Sendable (Value) -> Bool, at site: Relux.CallSite) -> StateQuery {
        StateQuery(
            subject: .state(.init(Value.self) { cell, pass in if isMet(cell.value) { pass(cell.value) } }),
            differ: { _, _ in true }, wantsFirst: true, site: site
        )
    }
}

/// Selects a value from one state.
///
/// It passes the value on, because in unspecialised generic code an optional value costs several lookups of metadata.
struct StateSelector<Value>: Sendable {
    let state: any Relux.State.Type
    /// Calls a closure with the value, if there is one.
    let select: @Sendable (AnyStateCell, (Value) -> Void) -> Void

    init<S: Relux.State>(_ state: S.Type, _ select: @escaping @Sendable (StateCell<S>, (Value) -> Void) -> Void) {
        self.state = state
        self.select = { cell, pass in if let cell = cell.typed(as: S.self) { select(cell, pass) } }
    }

    func callAsFunction(_ cell: AnyStateCell) -> Value? {
        var value: Value?
        select(cell) { value = $0 }
        return value
    }
}

/// What an iterator remembers between two values.
// @unchecked Sendable: nothing accesses it outside the core. The iteration that owns it only passes it in.
final class StateCursor<Value: Sendable>: SourceReader, @unchecked Sendable {
    private let query: StateQuery<Value>
    /// Where it reads; nil before the first value and after the end.
    private var scope: ScopeNode?
    /// What was read, as it was at that time; nil before the first value.
    private var seen: [SeenSource]? {
        didSet { follow((seen ?? []).map(\.source) + [scope].compactMap { $0 }) }
    }
    /// The last value of a selection. Whole states are told apart by their versions.
    private var last: Value?
    /// A value that the reader still gets: the first that met a condition, or the last of what has gone.
    private var kept: Value?
    private var hasEnded = false
    /// Ends the present wait; nil if there is none.
    private var signal: Signal?
    /// The number of what ends the iteration with the run through whose context it is made.
    var ending: UInt64?

    init(_ query: StateQuery<Value>) { self.query = query }

    /// Returns the newest value if it differs from the last one, and otherwise what to wait for.
    ///
    /// - Parameter origin: Where the reader reads.
    func pull(from core: isolated Core, as origin: Origin) -> StatePull<Value> {
        if scope == nil, !hasEnded, let missing = begin(as: origin, in: core) {
            hasEnded = true
            return .missing(missing)
        }
        if let value = kept.take() ?? newValue(in: core) { return .value(value) }
        if scope?.isOpen != true || core.phase != .open || (query.selector != nil && seen?.first?.source.isGone == true)
        {
            hasEnded = true
        }
        guard !hasEnded else {
            (scope, seen, last) = (nil, nil, nil)
            return .end
        }
        let signal = Signal()
        self.signal = signal
        return .wait(signal)
    }

    func endWait() { signal.take()?.fire() }

    /// Finds the scope, and makes sure that there is something to read.
    ///
    /// - Returns: What is missing, which is reported.
    private func begin(as origin: Origin, in core: isolated Core) -> Relux.StoreError? {
        guard let scope = core.scope(of: origin), core.phase == .open else {
            return core.reader(as: origin).reportMissing(nil, at: query.site)
        }
        if let state = query.selector?.state, scope.cell(of: ObjectIdentifier(state)) == nil {
            return core.reader(as: origin).reportMissing(state, at: query.site)
        }
        self.scope = scope
        return nil
    }

    /// The cell of the state that a query for one state follows; nil once it is gone.
    private func cell(of state: any Relux.State.Type) -> AnyStateCell? {
        let key = ObjectIdentifier(state)
        guard let source = seen?.first?.source else { return scope?.cell(of: key) }
        // An instance may have got such a state of its own since.
        return scope?.outward.lazy.compactMap { $0.cells[key] }.first { $0.source === source }
    }

    /// The present value, if it is one that the reader hasn't had.
    private func newValue(in core: isolated Core) -> Value? {
        guard !hasEnded, let scope, scope.isOpen, core.phase == .open else { return nil }
        let value: Value
        switch query.subject {
        case .state(let selector):
            guard seen?.first?.isOutdated ?? true, let cell = cell(of: selector.state) else { return nil }
            seen = [SeenSource(cell.source)]
            guard let selected = selector(cell) else { return nil }
            value = selected
        case .reader(let select):
            guard seen?.contains(where: \.isOutdated) ?? true else { return nil }
            let log = ReadLog()
            guard let selected = try? select(Relux.StateReader(at: scope, in: core, noting: log)) else {
                hasEnded = true
                return nil
            }
            seen = log.sources
            value = selected
        }
        guard let differ = query.differ else { return value }
        if let last, !differ(last, value) { return nil }
        last = value
        return value
    }

    /// Ends the wait if the change concerns the reader. A selection from one state is made in place, so that a reader
    /// whose selection is unchanged continues to wait.
    override func sourceChanged(in core: isolated Core, _ touched: inout [AnyFollower]) {
        if signal != nil, isConcerned { endWait() }
    }

    private var isConcerned: Bool {
        guard scope?.isOpen == true, let selector = query.selector, let differ = query.differ,
            let cell = cell(of: selector.state)
        else { return true }
        guard let value = selector(cell) else { return false }
        if query.wantsFirst { kept = value }
        return last.map { differ($0, value) } ?? true
    }

    /// Keeps the last value for the reader. What belongs to other scopes goes on without the reader.
    override func keepLast(ofScope removed: UInt64, in core: isolated Core) {
        guard query.selector != nil || scope?.serial == removed else { return }
        let isConcerned = seen?.contains { $0.isOutdated && $0.source.scope == removed } == true
        if isConcerned, let value = newValue(in: core) { kept = value }
        endWait()
    }
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

/// What a selection has read.
final class ReadLog {
    private(set) var sources: [SeenSource] = []
    private var known: Set<ObjectIdentifier> = []

    func note(_ source: Source) {
        if known.insert(ObjectIdentifier(source)).inserted { sources.append(SeenSource(source)) }
    }
}
