import Relux

/// A change of one state, as stated by a test.
@usableFromInline
final class StateChange<S: Relux.State>: AnyStateChange {
    @usableFromInline let path: InstancePath
    @usableFromInline var state: any Relux.State.Type { S.self }

    private var change: ((inout S) -> Void)?
    private var cell: UInt64 = 0
    /// The state before and after a plain step.
    private var before: S?
    private var after: S?
    /// What the change has made of the state in a plain step: it is never applied twice in one step.
    private var stated: S?

    /// - Parameters:
    ///   - path: Where the state is looked up, from there outward.
    ///   - change: What the test states; nil if it is lent later.
    @usableFromInline
    init(in path: InstancePath, _ change: ((inout S) -> Void)? = nil) {
        self.path = path
        self.change = change
    }

    /// Lends the stated change for as long as a closure runs.
    func withChange(_ change: (inout S) -> Void, _ body: () -> Void) {
        withoutActuallyEscaping(change) { change in
            self.change = change
            body()
            self.change = nil
        }
    }

    @usableFromInline
    func apply(to snapshot: inout StateSnapshot) -> StateChangeEffect {
        guard let entry = snapshot.find(S.self, from: path), let before = entry.state as? S else {
            return .missesState
        }
        var state = before
        if let stated { state = stated } else { change?(&state) }
        snapshot.replace(state, in: entry.path)
        return state == before ? .changesNothing(entry.path) : .changes(entry.path)
    }

    // MARK: In a plain step

    @usableFromInline
    func willReduce(_ states: borrowing Relux.StateReader) -> UInt64? {
        guard let found = states.reference(to: S.self) else { return nil }
        cell = found.number
        before = found.value
        stated = nil
        return cell
    }

    @usableFromInline
    func didReduce(_ states: borrowing Relux.StateReader) {
        after = states.reference(to: S.self)?.value
    }

    @usableFromInline
    func isMet(exhaustively isExhaustive: Bool) -> Bool {
        guard let before, let after else { return false }
        var state = isExhaustive ? before : after
        change?(&state)
        stated = state
        return state == after && !(isExhaustive && state == before)
    }

    @usableFromInline
    func bringUpToDate(_ snapshot: inout StateSnapshot) {
        if let after { snapshot.replace(after, ofCell: cell) }
    }

    @usableFromInline
    func forget() {
        (before, after, stated) = (nil, nil, nil)
    }
}

/// A change of a state of any type.
@usableFromInline
protocol AnyStateChange: AnyObject {
    var state: any Relux.State.Type { get }

    /// Where the state is looked up, from there outward.
    var path: InstancePath { get }

    /// Applies the change, and returns what it does.
    func apply(to snapshot: inout StateSnapshot) -> StateChangeEffect

    /// Notes the state before a plain step.
    ///
    /// - Returns: The number of its cell; nil if no registered module owns it.
    func willReduce(_ states: borrowing Relux.StateReader) -> UInt64?

    /// Notes the state after a plain step.
    func didReduce(_ states: borrowing Relux.StateReader)

    /// Whether the change of the state in a plain step is the stated one. Applies the stated one.
    ///
    /// - Parameter isExhaustive: Whether the state before must become the state after. Otherwise, the change must leave
    ///   the state after as it is.
    func isMet(exhaustively isExhaustive: Bool) -> Bool

    /// Puts the state after a plain step into a snapshot.
    func bringUpToDate(_ snapshot: inout StateSnapshot)

    /// Forgets the plain step.
    func forget()
}

/// What a stated change does to a snapshot.
@usableFromInline
enum StateChangeEffect {
    case changes(InstancePath)
    case changesNothing(InstancePath)
    case missesState
}
