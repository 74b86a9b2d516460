/// Serving readers. They ask; the store only wakes those who wait for what was touched.
extension Core {
    /// The slot of a state, if a registered module owns it.
    func slot<S: Relux.State>(of state: S.Type) -> Slot<S>? {
        // unsafeDowncast: `connect` puts a slot under the type of its own state.
        slots[ObjectIdentifier(state)].map { unsafeDowncast($0, to: Slot<S>.self) }
    }

    /// The present value of a state; a missing one is reported and thrown.
    func state<S: Relux.State>(of type: S.Type, at site: Relux.CallSite) throws(Relux.StoreError) -> S {
        if let slot = slot(of: type) { return slot.value }
        guard phase == .open else {
            report(.storeShutDown, at: site)
            throw .storeShutDown(at: site)
        }
        report(.stateNotOwned(type), at: site)
        throw .stateNotOwned(type, at: site)
    }

    /// The slot that an iterator began with, or the present one for one that begins.
    ///
    /// - Returns: nil where its module is gone, or where there is none to begin with; the latter is reported.
    func boundSlot<S: Relux.State>(
        of state: S.Type, _ reads: [ReadNotes.Read]?, at site: Relux.CallSite
    ) -> Slot<S>? {
        guard let slot = slot(of: state) else {
            if reads == nil { report(phase == .open ? .stateNotOwned(state) : .storeShutDown, at: site) }
            return nil
        }
        if let mark = reads?.first?.mark, mark.serial != slot.serial { return nil }
        return slot
    }

    /// A signal that fires once any of the states is touched, appears or goes.
    ///
    /// - Parameters:
    ///   - reads: The states; the one that the check is about, where there is a check.
    ///   - check: Says of a touch whether it is meant; nil means each is.
    /// - Returns: The signal.
    func signal(for reads: [ReadNotes.Read], if check: TouchCheck? = nil) -> Signal {
        let signal = Signal(keeping: check)
        for read in reads {
            if let slot = slots[read.state] {
                slot.waiting.append(signal, for: check.map { .passUnretained($0) })
            } else {
                awaitingStates.append(signal, for: read.state)
            }
        }
        // A selection that reads nothing never changes, but ends with the store.
        if reads.isEmpty { awaitingStates.append(signal, for: ObjectIdentifier(Never.self)) }
        return signal
    }

    /// Forgets a signal that nobody awaits any more.
    func forget(_ signal: Signal, reads: [ReadNotes.Read]) {
        for read in reads { slots[read.state]?.waiting.remove(signal) }
        awaitingStates.remove(signal)
    }
}
