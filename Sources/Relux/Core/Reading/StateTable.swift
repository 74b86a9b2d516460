/// The states of a scope, by type.
struct StateTable: ~Copyable {
    private var cells = SerialMap<AnyStateCell>()

    // MARK: Cells

    /// The cell of a state, if a registered module owns it.
    func cell<S: Relux.State>(of state: S.Type) -> StateCell<S>? {
        // unsafeDowncast: `add` stores each cell by the type of its own state.
        cells[ObjectIdentifier(state)].map { unsafeDowncast($0, to: StateCell<S>.self) }
    }

    func cell(of state: ObjectIdentifier) -> AnyStateCell? { cells[state] }

    /// - Parameters:
    ///   - initial: The value that a reset restores.
    ///   - given: The first value, if it is another one.
    ///   - owner: The module that lists the state.
    ///   - serial: Unique in the store.
    mutating func makeCell<S: Relux.State>(
        _ initial: S, startingAs given: (any Relux.State)? = nil, of owner: any Relux.Module.Type, serial: UInt64
    ) -> StateCell<S> {
        let cell = StateCell(initial, of: owner, serial: serial)
        if let given { cell.start(with: given) }
        cells.set(ObjectIdentifier(S.self), to: cell)
        return cell
    }

    mutating func remove(_ cell: AnyStateCell) {
        cells.remove(ObjectIdentifier(cell.state))
        cell.waiters.fire()
    }

    /// All cells, in the order in which they were created.
    var inOrder: [AnyStateCell] { cells.values.ascending { $0.serial } }

    var count: Int { cells.count }
}

/// One version of one cell.
struct StateMark: Sendable, Equatable {
    let serial: UInt64
    let version: UInt64
}

extension AnyStateCell {
    var mark: StateMark { StateMark(serial: serial, version: version) }
}
