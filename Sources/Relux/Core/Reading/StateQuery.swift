/// What an iterator of values asks the store.
///
/// - Isolation: `pull` runs inside the store.
protocol StateQuery<Value>: Sendable {
    associatedtype Value: Sendable

    /// Takes the newest value if it is another one than the cursor's, and else says whom to await.
    func pull(from core: Core, _ cursor: inout StateCursor<Value>) -> StatePull<Value>
}

/// What an iterator remembers between two values.
struct StateCursor<Value: Sendable>: Sendable {
    /// What was read, and how it was then.
    var reads: [ReadNotes.Read]?
    /// The last value, of a selection only: whole states are told apart by their versions.
    var last: Value?
}

enum StatePull<Value: Sendable>: Sendable {
    case value(Value)
    /// Nothing new: `awaken` fires with the next touch of what was read, or with the next that changes a selection.
    case wait(awaken: Signal)
    case end
}

/// The values of a whole state.
struct WholeStateQuery<S: Relux.State>: StateQuery {
    let site: Relux.CallSite

    func pull(from core: Core, _ cursor: inout StateCursor<S>) -> StatePull<S> {
        guard let slot = core.boundSlot(of: S.self, cursor.reads, at: site) else { return .end }
        let reads = [ReadNotes.Read(state: ObjectIdentifier(S.self), mark: slot.mark)]
        guard cursor.reads?.first?.mark != slot.mark else { return .wait(awaken: core.signal(for: reads)) }
        cursor.reads = reads
        return .value(slot.value)
    }
}

/// A selection from one state.
struct StateSelectionQuery<S: Relux.State, Value: Equatable & Sendable>: StateQuery {
    let selection: StateSelection<S, Value>
    let site: Relux.CallSite

    func pull(from core: Core, _ cursor: inout StateCursor<Value>) -> StatePull<Value> {
        guard let slot = core.boundSlot(of: S.self, cursor.reads, at: site) else { return .end }
        let reads = [ReadNotes.Read(state: ObjectIdentifier(S.self), mark: slot.mark)]
        if cursor.reads?.first?.mark != slot.mark {
            cursor.reads = reads
            let value = selection.select(slot.value)
            if cursor.last != value {
                cursor.last = value
                return .value(value)
            }
        }
        guard let last = cursor.last else { return .wait(awaken: core.signal(for: reads)) }
        return .wait(awaken: core.signal(for: reads, if: selection.check(against: last)))
    }
}

/// What a closure selects from one state, and whether that has changed.
///
/// It is made in the code of the caller, where the types are known, so that the comparison of a selection with the one
/// before is a few instructions there; generic code would have to ask the types for everything.
@usableFromInline
struct StateSelection<S: Relux.State, Value: Equatable & Sendable>: Sendable {
    let select: @Sendable (S) -> Value
    /// Whether the selection from a slot of the state is another one than the last.
    private let differs: TouchCheck.Condition

    @inlinable
    init(_ select: @escaping @Sendable (S) -> Value) {
        self.init(select) { slot, check in
            // unsafeDowncast: the slot that a check was given to asks it, and what it was made with stands below.
            let selection = unsafeDowncast(slot, to: Slot<S>.self).place.selection(select)
            return selection != unsafeDowncast(check.last, to: LastSelection<Value>.self).value
        }
    }

    @usableFromInline
    init(_ select: @escaping @Sendable (S) -> Value, differs: @escaping TouchCheck.Condition) {
        self.select = select
        self.differs = differs
    }

    /// What tells of a touch whether the selection is another one than the last.
    func check(against last: Value) -> TouchCheck { TouchCheck(LastSelection(last), differs) }
}

/// What was selected the last time.
@usableFromInline
final class LastSelection<Value: Sendable>: Sendable {
    @usableFromInline let value: Value

    fileprivate init(_ value: Value) {
        self.value = value
    }
}

/// A selection from any states, at one point of the total order.
struct ReaderSelectionQuery<Value: Equatable & Sendable>: StateQuery {
    let select: @Sendable (borrowing Relux.StateReader) throws -> Value

    func pull(from core: Core, _ cursor: inout StateCursor<Value>) -> StatePull<Value> {
        guard core.phase == .open else { return .end }
        if let reads = cursor.reads, reads.allSatisfy({ core.slots[$0.state]?.mark == $0.mark }) {
            return .wait(awaken: core.signal(for: reads))
        }
        let notes = ReadNotes()
        guard let value = try? select(Relux.StateReader(core, notes: notes)) else { return .end }
        cursor.reads = notes.reads
        guard cursor.last != value else { return .wait(awaken: core.signal(for: notes.reads)) }
        cursor.last = value
        return .value(value)
    }
}
