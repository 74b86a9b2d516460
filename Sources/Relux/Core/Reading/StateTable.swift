/// The states of a store, by type, and the readers that wait for them.
///
/// Readers ask; a dispatch only wakes those that wait for a state that it touched.
///
/// - Isolation: The core's.
final class StateTable {
    // exclusivity(unchecked): the core never looks up a cell while the table is being changed.
    @exclusivity(unchecked) private var cells = SerialMap<AnyStateCell>()
    /// The readers of states that no module owns, in order of arrival.
    private(set) var awaited = WaiterList<ObjectIdentifier>()
    private var lastSerial: UInt64 = 0

    // MARK: Cells

    /// The cell of a state, if a registered module owns it.
    func cell<S: Relux.State>(of state: S.Type) -> StateCell<S>? {
        // unsafeDowncast: `add` stores each cell by the type of its own state.
        cells[ObjectIdentifier(state)].map { unsafeDowncast($0, to: StateCell<S>.self) }
    }

    /// The cell of a state as an iterator knows it: the one it started with, or the current one at the start.
    ///
    /// - Returns: Nil if the cell is gone, or if there is none to start with.
    func cell<S: Relux.State>(of state: S.Type, since reads: [ReadLog.Read]?) -> StateCell<S>? {
        guard let cell = cell(of: state) else { return nil }
        if let mark = reads?.first?.mark, mark.serial != cell.serial { return nil }
        return cell
    }

    /// The mark of a state; nil if no registered module owns it.
    func mark(of state: ObjectIdentifier) -> StateMark? { cells[state]?.mark }

    func makeCell<S: Relux.State>(_ initial: S) -> StateCell<S> {
        lastSerial += 1
        let cell = StateCell(initial, serial: lastSerial)
        cells.set(ObjectIdentifier(S.self), to: cell)
        return cell
    }

    func remove(_ cell: AnyStateCell) {
        cells.remove(ObjectIdentifier(cell.state))
        cell.waiters.fire()
    }

    /// All cells, in the order in which they were created.
    var inOrder: [AnyStateCell] { cells.values.sorted { $0.serial < $1.serial } }

    var count: Int { cells.count }

    // MARK: Waiting readers

    /// A signal that fires when any of the states is touched, appears, or disappears.
    ///
    /// - Parameters:
    ///   - reads: The states; with a check, the one that the check is about.
    ///   - check: Decides about each touch; nil if each counts.
    func signal(for reads: [ReadLog.Read], if check: StateChangeCheck? = nil) -> Signal {
        let signal = Signal(keeping: check)
        for read in reads {
            if let cell = cells[read.state] {
                cell.waiters.append(signal, for: check.map { .passUnretained($0) })
            } else {
                awaited.append(signal, for: read.state)
            }
        }
        // A selection that reads nothing never changes, but it ends with the store.
        if reads.isEmpty { awaited.append(signal, for: ObjectIdentifier(Never.self)) }
        return signal
    }

    /// Forgets a signal whose waiter was cancelled.
    func forget(_ signal: Signal, reads: [ReadLog.Read]) {
        // Nobody awaits it any more, so firing it only marks it.
        signal.fire()
        for read in reads { cells[read.state]?.waiters.noteCancellation() }
        awaited.noteCancellation()
    }

    /// Wakes the readers that wait for states that a module has just added.
    func wakeReaders(ofAdded added: [AnyStateCell]) {
        guard !awaited.isEmpty else { return }
        let keys = Set(added.map { ObjectIdentifier($0.state) })
        awaited.fire { keys.contains($0) }
    }

    /// Wakes all readers of states that no module owns, because the store is closing.
    func wakeReadersOfMissing() { awaited.fire() }

    var awaitedSignals: [Signal] { awaited.signals }
}

/// One version of one cell.
struct StateMark: Sendable, Equatable {
    let serial: UInt64
    let version: UInt64
}

extension AnyStateCell {
    var mark: StateMark { StateMark(serial: serial, version: version) }
}
