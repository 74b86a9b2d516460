/// Reading: what is read, and who is told of its changes.
///
/// - Owns: the states (``StateCell``), everything else that is read (``Source``), and who follows what
///   (``SourceReader``). Cells, and the sources that aren't parts of a state, are in the slots of their scopes.
/// - Promises: a changed source is noted once in a step, and its readers are told once, at the end; an iterator whose
///   selection is unchanged goes on waiting; view states are only noted, and selected again by ``refresh()``.
/// - Called by: the core, which asks for values (``StateCursor``, ``Follower``); the parts above, which note what they
///   change.
///
/// - Isolation: The core's.
final class Readers {
    let tree: Tree
    let reporter: Reporter
    /// The store of these states, which holds this. Set once.
    private unowned var store: Core?
    /// The sources that have changed, and whose readers have not been told.
    private var noted: [Source] = []
    /// The view states whose sources have changed since they were brought up to date.
    private var outdated: [any AnyFollower] = []
    /// Whether view states are outdated, and their host doesn't know yet.
    private(set) var hasNews = false
    /// How often states were about to be removed.
    private(set) var removals = 0
    private let agenda: Agenda

    init(_ tree: Tree, _ reporter: Reporter, _ agenda: Agenda) {
        (self.tree, self.reporter, self.agenda) = (tree, reporter, agenda)
    }

    func setStore(_ store: Core) { self.store = store }

    /// The store of these states, for the names of scopes.
    var core: Core { store ?? Core.closed }

    /// False once the store has ended: there is nothing to read any more.
    var isOpen: Bool { tree.root.isOpen }

    /// A reader of states to lend to a closure.
    ///
    /// - Parameter scope: Where it reads.
    func reader(at scope: ScopeNode, noting log: ReadLog? = nil) -> Relux.StateReader {
        Relux.StateReader(at: scope, of: scope.address, in: self, noting: log)
    }

    /// A reader of states to lend to a caller, also if its instance doesn't exist.
    func reader(for caller: Caller) -> Relux.StateReader {
        Relux.StateReader(at: tree.scope(of: caller), of: caller.scope, in: self)
    }

    /// Whether the instance in which a caller reads is being loaded.
    func isLoading(for caller: Caller) -> Bool {
        isOpen && caller.context == nil && tree.loads(for: caller.scope) != nil
    }

    /// Why there is no instance: it is being loaded, or isn't known.
    func absence(of scope: Relux.Scope) -> Relux.Refusal.Reason {
        tree.loads(for: scope.address).map { .instanceLoading(scope, $0) } ?? .noInstance(scope)
    }

    // MARK: Changes

    /// Notes that a source has changed.
    func note(_ source: Source?) {
        guard let source, source.note() else { return }
        noted.append(source)
        agenda.isEmpty = false
    }

    /// Tells the readers of the noted sources, in the order in which these were noted first.
    func wake() {
        while !noted.isEmpty {
            let sources = noted
            noted.removeAll(keepingCapacity: true)
            for source in sources { source.tellReaders(in: self) }
        }
    }

    /// The states of some modules are about to be removed. All of them are still there: a selection may read several.
    ///
    /// - Parameter scopes: The scopes of what is removed.
    func keepLast(of cells: [AnyStateCell], ofScopes scopes: Set<UInt64>) {
        removals += 1
        for reader in cells.flatMap(\.source.readers.elements) { reader.keepLast(ofScopes: scopes, in: self) }
    }

    // MARK: View states

    func noteOutdated(_ follower: any AnyFollower) {
        outdated.append(follower)
        hasNews = true
        agenda.isEmpty = false
    }

    /// The host of the view states knows that they are outdated.
    func hostKnows() { hasNews = false }

    /// Brings the outdated view states up to date.
    ///
    /// - Returns: Those whose next value differs from the shown one.
    func refresh() -> [any AnyFollower] {
        hasNews = false
        var changed: [any AnyFollower] = []
        // A loop: a closure that the standard library calls here would check its isolation each time.
        for follower in outdated where follower.refresh(in: self) { changed.append(follower) }
        outdated.removeAll(keepingCapacity: true)
        return changed
    }

    // MARK: The end

    /// View states keep no states, and are brought up to date once more: they go on showing what they show, unless they
    /// have something for the time without states.
    func releaseFollowers() {
        for follower in outdated { follower.stopFollowing() }
    }
}
