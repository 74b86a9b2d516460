/// What an iterator of values asks the store.
protocol StateQuery<Value>: Sendable {
    associatedtype Value: Sendable

    /// Returns the newest value if it differs from the cursor's, and otherwise what to wait for.
    func pull(
        from core: isolated Core, in scope: ScopeNode, _ cursor: StateCursor<Value>
    ) -> StatePull<Value>
}

/// What an iterator remembers between two values.
// @unchecked Sendable: nothing accesses it outside the core. The iterator that owns it only passes it to queries, which
// are given the isolated core, and a query's check is called by cells, inside the core.
final class StateCursor<Value: Sendable>: @unchecked Sendable {
    /// The states that were read, with their versions at that time.
    var reads: [ReadLog.Read]?
    /// The last value of a selection, or the one that met a condition. Whole states are told apart by their versions.
    var last: Value?
}

enum StatePull<Value: Sendable>: Sendable {
    case value(Value)
    /// There is nothing new. The signal fires at the next touch of what was read, or at the next change of a selection.
    case wait(Signal, reads: [ReadLog.Read])
    case end
}

/// The values of a whole state.
struct WholeStateQuery<S: Relux.State>: StateQuery {
    let site: Relux.CallSite

    func pull(from core: isolated Core, in scope: ScopeNode, _ cursor: StateCursor<S>) -> StatePull<S> {
        guard let cell = core.cell(of: S.self, in: scope, since: cursor.reads, at: site) else { return .end }
        let reads = [ReadLog.Read(subject: .state(ObjectIdentifier(S.self)), mark: cell.mark)]
        guard cursor.reads?.first?.mark != cell.mark else { return core.wait(for: reads, in: scope) }
        cursor.reads = reads
        return .value(cell.value)
    }
}

/// A selection from one state.
struct StateSelectionQuery<S: Relux.State, Value: Equatable & Sendable>: StateQuery {
    let selection: StateSelection<S, Value>
    let site: Relux.CallSite

    func pull(
        from core: isolated Core, in scope: ScopeNode, _ cursor: StateCursor<Value>
    ) -> StatePull<Value> {
        guard let cell = core.cell(of: S.self, in: scope, since: cursor.reads, at: site) else { return .end }
        let reads = [ReadLog.Read(subject: .state(ObjectIdentifier(S.self)), mark: cell.mark)]
        if cursor.reads?.first?.mark != cell.mark {
            cursor.reads = reads
            let value = selection.select(cell.value)
            if cursor.last != value {
                cursor.last = value
                return .value(value)
            }
        }
        guard let last = cursor.last else { return core.wait(for: reads, in: scope) }
        return core.wait(for: reads, in: scope, if: selection.check(against: last))
    }
}

/// A state as soon as it meets a condition.
///
/// The condition is checked at each touch. The value that meets it is kept in the cursor until the waiter comes for it,
/// because the state may have changed again by then.
struct ConditionQuery<S: Relux.State>: StateQuery {
    let selection: StateSelection<S, Bool>
    let site: Relux.CallSite

    func pull(from core: isolated Core, in scope: ScopeNode, _ cursor: StateCursor<S>) -> StatePull<S> {
        guard let cell = core.cell(of: S.self, in: scope, since: cursor.reads, at: site) else { return .end }
        guard !selection.select(cell.value) else { return .value(cell.value) }
        let reads = [ReadLog.Read(subject: .state(ObjectIdentifier(S.self)), mark: cell.mark)]
        cursor.reads = reads
        return core.wait(for: reads, in: scope, if: check(keepingIn: cursor))
    }

    private func check(keepingIn cursor: StateCursor<S>) -> StateChangeCheck {
        let condition = selection.check(against: false)
        return StateChangeCheck(cursor) { cell, _ in
            guard condition.isMet(cell, condition) else { return false }
            cursor.last = (cell as? StateCell<S>)?.value
            return true
        }
    }
}

/// A selection from any states, at one point of the total order.
struct ReaderSelectionQuery<Value: Equatable & Sendable>: StateQuery {
    let select: @Sendable (borrowing Relux.StateReader) throws -> Value

    func pull(
        from core: isolated Core, in scope: ScopeNode, _ cursor: StateCursor<Value>
    ) -> StatePull<Value> {
        guard core.phase == .open else { return .end }
        if let reads = cursor.reads, reads.allSatisfy({ scope.mark(of: $0.subject) == $0.mark }) {
            return core.wait(for: reads, in: scope)
        }
        let log = ReadLog()
        guard let value = try? select(core.reader(at: .scope(scope), noting: log)) else { return .end }
        cursor.reads = log.reads
        guard cursor.last != value else { return core.wait(for: log.reads, in: scope) }
        cursor.last = value
        return .value(value)
    }
}
