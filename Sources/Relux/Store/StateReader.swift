extension Relux {
    /// Reads any states at one point of the total order.
    ///
    /// It is lent to closures that are executed inside the store, and can't be kept. Everything that such a closure
    /// reads belongs to the same moment: either all reducers of an action have run, or none. Keep the closure short;
    /// the store waits for it.
    public struct StateReader: ~Copyable {
        private let states: StateTable
        private let reporter: Reporter
        private let isOpen: Bool
        /// Notes what is read, for a selection that must be repeated when that changes.
        private let log: ReadLog?

        init(_ states: StateTable, _ reporter: Reporter, isOpen: Bool = true, noting log: ReadLog? = nil) {
            self.states = states
            self.reporter = reporter
            self.isOpen = isOpen
            self.log = log
        }

        /// The current value of a state; nil if no registered module owns it.
        ///
        /// - Complexity: O(1). The value shares its storage with the store until either changes.
        public subscript<S: State>(_ type: S.Type) -> S? {
            log?.note(S.self, in: states)
            return states.cell(of: type)?.value
        }

        /// The current value of a state.
        ///
        /// - Throws: ``StoreError/stateNotOwned(_:at:)`` if no registered module owns it. This is also reported.
        /// - Complexity: O(1). The value shares its storage with the store until either changes.
        public func state<S: State>(
            of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line
        ) throws(StoreError) -> S {
            try state(of: type, at: CallSite(fileID: fileID, line: line))
        }

        func state<S: State>(of type: S.Type, at site: CallSite) throws(StoreError) -> S {
            if let value = self[type] { return value }
            reporter.refused(isOpen ? .stateNotOwned(type) : .storeShutDown, at: site)
            throw isOpen ? .stateNotOwned(type, at: site) : .storeShutDown(at: site)
        }

        /// Every state of every registered module, in the order of registration. A selection doesn't note it.
        package var allStates: [any State] { states.inOrder.compactMap(\.anyValue) }
    }
}
