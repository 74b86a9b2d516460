/// A value outside the store that is brought up to date together with all others of the store, at one point of the
/// total order. This is what a user interface shows.
///
/// A step that touches what followers read only notes them. Their host is told at the end of the visit, and has their
/// values selected again.
///
/// - Isolation: The core's.
protocol AnyFollower: SourceReader, Sendable {
    /// The object that shows the value. Only the host uses it.
    var client: AnyObject? { get set }
    /// Where it reads.
    var caller: Caller { get }

    /// Selects the value again.
    ///
    /// - Returns: Whether it differs from the last one.
    func refresh(in readers: Readers) -> Bool

    /// Whether the scope and what was read there still exist.
    func isPresent(in readers: Readers) -> Bool
}

/// A follower with the type of its value.
// @unchecked Sendable: the core isolates everything but `client` and the last value, which the host uses. The host
// refreshes the follower by synchronous visits of its own, so nothing overlaps.
final class Follower<Value: Equatable & Sendable>: SelectionReader<Value>, AnyFollower, @unchecked Sendable {
    weak var client: AnyObject?
    /// Whether it is about to be refreshed.
    private var isOutdated = false
    /// The last removal for which it has kept a value.
    private var removal = 0

    /// Makes the first selection.
    func begin(in readers: Readers) throws(Relux.StoreError) -> Value {
        guard let value = select(in: readers) ?? query.otherwise else {
            stopFollowing()
            throw readers.reader(for: caller).reportMissing(selection?.state, at: query.site)
        }
        last = Last(value)
        return value
    }

    override func sourceChanged(in readers: Readers) {
        if !isOutdated { readers.noteOutdated(self) }
        isOutdated = true
    }

    func refresh(in readers: Readers) -> Bool {
        isOutdated = false
        // One that has stopped following since must not begin again. With the store, all of them have.
        guard !places.isEmpty || !readers.isOpen, let last else { return false }
        guard let selection, let cell, !hasLostSource else { return selectAgain(in: readers, instead: last) }
        return selection.pass(cell, ifNot: last.value) { self.last = Last($0) }
    }

    // inline(never): the lookups of metadata that an optional value needs would precede the comparison.
    @inline(never)
    private func selectAgain(in readers: Readers, instead last: Last<Value>) -> Bool {
        let value = select(in: readers) ?? query.otherwise ?? kept
        kept = nil
        guard let value, value != last.value else { return false }
        self.last = Last(value)
        return true
    }

    private func select(in readers: Readers) -> Value? {
        cell = nil
        guard readers.isOpen else { return nil }
        if let scope = readers.tree.scope(of: caller) { return select(at: scope, in: readers) }
        awaitInstance(in: readers)
        // At first, until the instance is loaded, a selection from any states finds none.
        guard last == nil, readers.isLoading(for: caller), case .reader(let select) = query.subject else { return nil }
        return try? select(readers.reader(for: caller))
    }

    func isPresent(in readers: Readers) -> Bool {
        guard readers.isOpen, let scope = readers.tree.scope(of: caller) else { return false }
        if let selection { return scope.cell(of: selection.state) != nil }
        // Something is missing only if states were looked for and none is there. To find no instances is a result.
        return places.allSatisfy { !$0.source.isState && !($0.source is Absence) }
            || places.contains { $0.source.isState && !$0.source.isGone }
    }

    override func keepLast(ofScopes removed: Set<UInt64>, in readers: Readers) {
        // Once for all that goes together. If its own instance has gone before, in the same step, it has kept its last
        // value, and will be told.
        guard removal != readers.removals, let scope = readers.tree.scope(of: caller) else { return }
        removal = readers.removals
        cell = nil
        if let value = select(at: scope, in: readers) { kept = value }
        // The sources that it follows now may not be those that have been noted.
        sourceChanged(in: readers)
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
