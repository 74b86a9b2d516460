/// A value outside the store that is brought up to date together with all others of the store, at one point of the
/// total order. This is what a user interface shows.
///
/// A step that touches what followers read only notes them. Their host is told at the end of the visit, and has their
/// values selected again.
///
/// - Isolation: The core's.
protocol AnyFollower: SourceReader, Sendable {
    /// What shows the value. Only the host uses it.
    var client: AnyObject? { get set }
    /// The instance in which it reads; nil for the root.
    var scope: ScopeAddress? { get }

    /// Selects the value again.
    ///
    /// - Returns: Whether it differs from the one that is shown.
    func refresh(in readers: Readers) -> Bool

    /// Whether the scope and what was read there still exist.
    func isPresent(in readers: Readers) -> Bool
}

/// A follower with the type of its value.
// @unchecked Sendable: the core isolates everything but `client`, `shown`, and `next`, which the host uses. The host
// refreshes the follower by synchronous visits of its own, so nothing overlaps. One that follows nothing belongs to the
// view state that holds it.
final class Follower<Value: Equatable & Sendable>: SourceReader, AnyFollower, @unchecked Sendable {
    weak var client: AnyObject?
    private let query: StateQuery<Value>
    private let caller: Caller
    /// The selection from one state; nil for one from any states.
    private let selection: (any StateSelection<Value>)?
    /// The state that is followed, if it is one; nil while that is missing.
    private var cell: AnyStateCell?
    /// Whether it is about to be refreshed.
    private var isOutdated = false
    /// What is shown outside.
    private(set) var shown: Value
    /// What is to be shown instead.
    private(set) var next: Value?
    /// The last value of what has gone.
    private var kept: Value?

    /// Follows nothing.
    init(_ query: StateQuery<Value>, for caller: Caller, showing value: Value) {
        (self.query, self.caller, shown) = (query, caller, value)
        selection = if case .state(let selection) = query.subject { selection } else { nil }
    }

    /// Makes the first selection.
    ///
    /// - Parameter caller: Where the value is read. In the context of an instance's run, only in that instance.
    convenience init(_ query: StateQuery<Value>, for caller: Caller, in readers: Readers) throws(Relux.StoreError) {
        let first = Self.select(query, for: caller, in: readers, isFirst: true)
        guard let value = (readers.isOpen ? first.value : nil) ?? query.otherwise else {
            let state: (any Relux.State.Type)? = if case .state(let one) = query.subject { one.state } else { nil }
            throw readers.reader(for: caller).reportMissing(state, at: query.site)
        }
        self.init(query, for: caller, showing: value)
        if readers.isOpen { note(first) }
    }

    var scope: ScopeAddress? { caller.scope }

    /// Shows the next value, if there is one.
    func showNext() {
        if let next = next.take() { shown = next }
    }

    // MARK: Selecting

    private typealias Selected = (value: Value?, sources: [Source], cell: AnyStateCell?)

    /// - Parameter isFirst: Whether there is nothing to show yet.
    private static func select(
        _ query: StateQuery<Value>, for caller: Caller, in readers: Readers, isFirst: Bool = false
    ) -> Selected {
        let log = ReadLog()
        guard let scope = readers.tree.scope(of: caller) else {
            // A run belongs to one instance, and never to a later one with the same id.
            var value: Value?
            if let address = caller.scope, caller.context == nil {
                _ = readers.reader(at: readers.tree.root, noting: log).contains(address)
                // Until the instance is loaded, a selection from any states finds none.
                if isFirst, case .reader(let select) = query.subject, readers.tree.loads(for: address) != nil {
                    value = try? select(readers.reader(for: caller))
                }
            }
            return (value, log.sources.map(\.source), nil)
        }
        log.note(scope.existence)
        let reader = readers.reader(at: scope, noting: log)
        var (value, cell): (Value?, AnyStateCell?)
        switch query.subject {
        case .state(let selection):
            cell = reader.cell(of: ObjectIdentifier(selection.state))
            value = cell.flatMap { selection.value(in: $0) }
        case .reader(let select): value = try? select(reader)
        }
        return (value, log.sources.map(\.source), cell)
    }

    private func note(_ selected: Selected) {
        follow(selected.sources)
        cell = selected.cell
    }

    override func stopFollowing() {
        super.stopFollowing()
        // It would keep the state.
        cell = nil
    }

    override func sourceChanged(in readers: Readers) {
        if !isOutdated { readers.noteOutdated(self) }
        isOutdated = true
    }

    func refresh(in readers: Readers) -> Bool {
        isOutdated = false
        // One that has stopped following since must not begin again.
        guard !places.isEmpty else { return false }
        guard let selection, let cell, !hasLostSource else { return followAgain(in: readers) }
        var isChanged = false
        selection.pass(cell, ifNot: shown) { value in
            prepare(value)
            isChanged = true
        }
        return isChanged
    }

    // inline(never), twice: the lookups of metadata that an optional value needs would precede the comparison.
    @inline(never)
    private func prepare(_ value: Value) { next = value }

    /// Selects the value again, and follows what that reads.
    @inline(never)
    private func followAgain(in readers: Readers) -> Bool {
        let selected = Self.select(query, for: caller, in: readers)
        note(selected)
        let value = selected.value ?? query.otherwise ?? kept
        kept = nil
        guard let value, value != shown else { return false }
        prepare(value)
        return true
    }

    func isPresent(in readers: Readers) -> Bool {
        guard readers.isOpen, let scope = readers.tree.scope(of: caller) else { return false }
        if let selection { return scope.cell(of: ObjectIdentifier(selection.state)) != nil }
        // A selection that reads nothing is always there.
        let existence = scope.existence
        return places.allSatisfy { $0.source === existence }
            || places.contains { $0.source.isState && !$0.source.isGone }
    }

    override func keepLast(ofScope removed: UInt64, in readers: Readers) {
        if let value = Self.select(query, for: caller, in: readers).value { kept = value }
    }
}

/// Shows the values of a store's followers.
protocol FollowerHost: AnyObject, Sendable {
    /// Whether the calling code is executed where the values are shown.
    var isCurrent: Bool { get }
    /// Requests an update from outside. Called inside the store.
    func requestUpdate()
    /// Brings the values up to date before it returns, or before the update returns that is in progress. The caller is
    /// where the values are shown.
    func updateNow()
}

/// Leads from a store to its host, which it doesn't keep alive; nil if nothing is shown.
struct FollowerHostLink {
    weak var host: (any FollowerHost)?
}
