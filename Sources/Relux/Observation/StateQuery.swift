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
    /// Nothing new: `awaken` fires with the next touch of what was read.
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
    let select: @Sendable (S) -> Value
    let site: Relux.CallSite

    func pull(from core: Core, _ cursor: inout StateCursor<Value>) -> StatePull<Value> {
        guard let slot = core.boundSlot(of: S.self, cursor.reads, at: site) else { return .end }
        let reads = [ReadNotes.Read(state: ObjectIdentifier(S.self), mark: slot.mark)]
        if cursor.reads?.first?.mark != slot.mark {
            cursor.reads = reads
            let value = core.reading { select(slot.value) }
            if cursor.last != value {
                cursor.last = value
                return .value(value)
            }
        }
        guard let last = cursor.last else { return .wait(awaken: core.signal(for: reads)) }
        // The value itself, and not an optional one: generic code looks the metadata of that up each time it compares.
        let check: AnySlot.Check = { [select] slot in
            // unsafeDowncast: the slot asks that this was given to.
            select(unsafeDowncast(slot, to: Slot<S>.self).value) != last
        }
        return .wait(awaken: core.signal(for: reads, if: check))
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
        guard let value = core.reading({ try? select(Relux.StateReader(core, notes: notes)) }) else { return .end }
        cursor.reads = notes.reads
        guard cursor.last != value else { return .wait(awaken: core.signal(for: notes.reads)) }
        cursor.last = value
        return .value(value)
    }
}
