extension Relux {
    /// Reads any states at one point of the total order.
    ///
    /// It is lent to closures that run inside the store and can't be kept. Everything that such a closure reads belongs
    /// to the same moment: all reducers of an action have run, or none. Keep the closure short; the store waits for it.
    public struct StateReader: ~Copyable {
        private let core: Core
        /// Notes what is read, for a selection that has to be made again when that changes.
        private let notes: ReadNotes?

        init(_ core: Core, notes: ReadNotes? = nil) {
            self.core = core
            self.notes = notes
        }

        /// A state, or nil if no registered module owns it.
        ///
        /// - Parameter type: The type of the state.
        /// - Returns: Its present value, or nil; nil too from inside a reducer, of which observers hear.
        /// - Complexity: O(1). The value shares its storage with the store until either changes.
        public subscript<S: State>(_ type: S.Type) -> S? {
            notes?.note(S.self, core)
            return core.slot(of: type)?.value
        }

        /// A state.
        ///
        /// - Parameters:
        ///   - type: The type of the state.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Returns: Its present value.
        /// - Throws: ``StoreError/stateNotOwned(_:at:)`` if no registered module owns it; observers hear of it.
        /// - Complexity: O(1). The value shares its storage with the store until either changes.
        public func state<S: State>(
            of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line
        ) throws(StoreError) -> S {
            notes?.note(S.self, core)
            return try core.state(of: S.self, at: CallSite(fileID: fileID, line: line))
        }

        /// Every state of every registered module, in the order of registration. A selection doesn't note it.
        package var allStates: [any State] {
            core.modules.inOrder.flatMap { $0.connections.slots.compactMap(\.anyValue) }
        }
    }
}

/// What a selection read, and how it was then.
final class ReadNotes {
    struct Read: Sendable {
        let state: ObjectIdentifier
        /// nil where no module owned the state.
        let mark: SlotMark?
    }

    private(set) var reads: [Read] = []

    func note<S: Relux.State>(_ state: S.Type, _ core: Core) {
        let key = ObjectIdentifier(state)
        guard !reads.contains(where: { $0.state == key }) else { return }
        reads.append(Read(state: key, mark: core.slots[key]?.mark))
    }
}

/// One moment of one slot.
struct SlotMark: Sendable, Equatable {
    let serial: UInt64
    let version: UInt64
}

extension AnySlot {
    var mark: SlotMark { SlotMark(serial: serial, version: version) }
}
