import Relux

/// A step whose action concerned nothing but reducers, in a store with nothing else to do.
///
/// Such a step is made on the caller's thread. It looks only at the states whose reducers run and at those that the
/// test names, and it keeps no snapshot unless a check fails.
@usableFromInline
struct PlainStep: Sendable {
    /// The number of its action.
    let sequence: UInt64
    /// Where it left the states.
    let position: StatePosition
    /// All states before it, if the test may know them as they were earlier.
    let found: StateSnapshot?
}

/// The states that a plain step concerns, whatever their types: those whose reducers run, and those whose changes are
/// stated.
// @unchecked Sendable: only the thread that makes the step uses it, which enters the store in between.
final class PlainStates: @unchecked Sendable {
    /// A state whose reducers run, and of which no change was stated.
    private struct Other {
        let cell: UInt64
        let before: any Relux.State
        var after: any Relux.State
    }

    let changes: [any AnyStateChange]
    private var others: [Other] = []

    init(_ changes: [any AnyStateChange]) {
        self.changes = changes
    }

    deinit {
        for change in changes { change.forget() }
    }

    /// Notes the states before the step.
    ///
    /// - Returns: Whether each stated change is that of another state that exists. Otherwise, a snapshot is needed.
    func willReduce(_ states: StepStates) -> Bool {
        let reader = states.reader
        var stated: Set<UInt64> = []
        for change in changes {
            guard let cell = change.willReduce(reader), stated.insert(cell).inserted else { return false }
        }
        for (cell, value) in states.reduced where !stated.contains(cell) {
            others.append(Other(cell: cell, before: value, after: value))
        }
        return true
    }

    /// Notes the states after the step.
    func didReduce(_ states: StepStates) {
        let reader = states.reader
        for change in changes { change.didReduce(reader) }
        guard !others.isEmpty else { return }
        for (cell, value) in states.reduced {
            if let index = others.firstIndex(where: { $0.cell == cell }) { others[index].after = value }
        }
    }

    /// Whether the states have changed as stated.
    func areMet(exhaustively isExhaustive: Bool) -> Bool {
        var areMet = true
        // Every change is applied, even if an earlier one isn't met: the test may count on being called.
        for change in changes where !change.isMet(exhaustively: isExhaustive) { areMet = false }
        return areMet && (!isExhaustive || others.allSatisfy { isEqual($0.before, $0.after) })
    }

    /// Turns the states before the step into the states after it.
    func bringUpToDate(_ snapshot: inout StateSnapshot) {
        for change in changes { change.bringUpToDate(&snapshot) }
        for other in others { snapshot.replace(other.after, ofCell: other.cell) }
    }

    private func isEqual<S: Relux.State>(_ before: S, _ after: any Relux.State) -> Bool { after as? S == before }
}
