/// A value outside the store that is brought up to date together with all others of the store, at one point of the
/// total order. This is what a user interface shows.
///
/// A step that touches what followers read only notes them, and requests one update. The update selects their values
/// again.
///
/// - Isolation: The core's.
// @unchecked Sendable: the core isolates everything in it but `client`, which only the host uses.
class AnyFollower: SourceReader, @unchecked Sendable {
    /// What shows the value.
    final weak var client: AnyObject?
    /// The instance in which it reads; nil for the root.
    var scope: ScopeAddress? { nil }
    /// Whether it is about to be refreshed.
    final fileprivate var isTouched = false

    /// Selects the value again.
    ///
    /// - Returns: Whether it differs from the one that is shown.
    func refresh(in core: isolated Core) -> Bool { false }

    /// Whether the scope and what was read there still exist.
    func isPresent(in core: isolated Core) -> Bool { false }

    final override func sourceChanged(in core: isolated Core, _ touched: inout [AnyFollower]) {
        if !isTouched { touched.append(self) }
        isTouched = true
    }
}

/// A follower with the type of its value.
// @unchecked Sendable: the core isolates everything but `client`, `shown`, and `next`, which the host uses. The host
// refreshes the follower by synchronous visits of its own, so nothing overlaps. One that follows nothing belongs to the
// view state that holds it.
final class Follower<Value: Equatable & Sendable>: AnyFollower, @unchecked Sendable {
    private let query: StateQuery<Value>
    private let origin: Origin
    /// Selects from the state that is followed; nil for a selection from any states.
    private let selector: StateSelector<Value>?
    /// The state that is followed, if it is one; nil while that is missing.
    private var cell: AnyStateCell?
    /// The last value of what has gone.
    private var kept: Value?

    /// What is shown outside.
    private(set) var shown: Value
    /// What is to be shown instead.
    private(set) var next: Value?

    /// Follows nothing.
    init(_ query: StateQuery<Value>, as origin: Origin, showing value: Value) {
        (self.query, self.origin, selector, shown) = (query, origin, query.selector, value)
    }

    /// Makes the first selection.
    ///
    /// - Parameter origin: Where the value is read. In the context of an instance's run, only in that instance.
    convenience init(_ query: StateQuery<Value>, as origin: Origin, in core: isolated Core) throws(Relux.StoreError) {
        let first = Self.select(query, as: origin, in: core)
        guard let value = (core.phase == .open ? first.value : nil) ?? query.otherwise else {
            throw core.reader(as: origin).reportMissing(query.selector?.state, at: query.site)
        }
        self.init(query, as: origin, showing: value)
        if core.phase == .open { note(first) }
    }

    override var scope: ScopeAddress? { origin.scope }

    /// Shows the next value, if there is one.
    func showNext() {
        if let next = next.take() { shown = next }
    }

    // MARK: Selecting

    private typealias Selection = (value: Value?, sources: [Source], cell: AnyStateCell?)

    private static func select(_ query: StateQuery<Value>, as origin: Origin, in core: isolated Core) -> Selection {
        let log = ReadLog()
        guard let scope = core.scope(of: origin) else {
            // A run belongs to one instance, and never to a later one with the same id.
            if let address = origin.scope, origin.handle == nil {
                _ = Relux.StateReader(at: core.root, in: core, noting: log).contains(address)
            }
            return (nil, log.sources.map(\.source), nil)
        }
        log.note(scope)
        let reader = Relux.StateReader(at: scope, in: core, noting: log)
        var (value, cell): (Value?, AnyStateCell?)
        switch query.subject {
        case .state(let selector):
            cell = reader.cell(of: ObjectIdentifier(selector.state))
            value = cell.flatMap { selector($0) }
        case .reader(let select): value = try? select(reader)
        }
        return (value, log.sources.map(\.source), cell)
    }

    private func note(_ selection: Selection) {
        follow(selection.sources)
        cell = selection.cell
    }

    override func stopFollowing() {
        super.stopFollowing()
        // It would keep the state.
        cell = nil
    }

    override func refresh(in core: isolated Core) -> Bool {
        guard let selector, let cell, !hasLostSource else { return followAgain(in: core) }
        var isChanged = false
        selector.select(cell) { value in
            guard value != shown else { return }
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
    private func followAgain(in core: isolated Core) -> Bool {
        let selection = Self.select(query, as: origin, in: core)
        note(selection)
        let value = selection.value ?? query.otherwise ?? kept
        kept = nil
        guard let value, value != shown else { return false }
        prepare(value)
        return true
    }

    override func isPresent(in core: isolated Core) -> Bool {
        guard core.phase == .open, let scope = core.scope(of: origin) else { return false }
        switch query.subject {
        case .state(let selector): return scope.cell(of: ObjectIdentifier(selector.state)) != nil
        case .reader:
            // A selection that reads nothing is always there.
            return places.allSatisfy { $0.source === scope }
                || places.contains { $0.source.isState && !$0.source.isGone }
        }
    }

    override func keepLast(ofScope removed: UInt64, in core: isolated Core) {
        if let value = Self.select(query, as: origin, in: core).value { kept = value }
    }
}

extension Core {
    /// Brings the followers up to date whose sources were touched.
    ///
    /// - Returns: Those whose next value differs from the shown one.
    func refreshFollowers() -> [AnyFollower] {
        leftovers.hasTouchedFollowers = false
        var changed: [AnyFollower] = []
        // A loop: a closure that the standard library calls here would check its isolation each time.
        for follower in touchedFollowers {
            follower.isTouched = false
            // One that has stopped following since must not begin again.
            if !follower.places.isEmpty, follower.refresh(in: self) { changed.append(follower) }
        }
        touchedFollowers.removeAll(keepingCapacity: true)
        return changed
    }

    /// The store has ended: its followers go on showing what they show, and keep no states.
    func releaseFollowers() {
        for follower in touchedFollowers { follower.stopFollowing() }
        touchedFollowers = []
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
