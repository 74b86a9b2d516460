extension Relux {
    /// Reads any states at one point of the total order.
    ///
    /// It is lent to closures that are executed inside the store, and can't be kept. Everything that such a closure
    /// reads belongs to the same moment: either all reducers of an action have run, or none. Keep the closure short;
    /// the store waits for it.
    public struct StateReader: ~Copyable {
        /// Where it reads; nil for a reader that finds nothing.
        let node: ScopeNode?
        /// The instance in which it reads, whether it exists or not; nil for the root.
        private let address: ScopeAddress?
        /// Nil if the caller is inside a store.
        private let readers: Readers?
        /// Notes what is read, for a selection that must be repeated when that changes.
        private let log: ReadLog?

        init(at node: ScopeNode?, of address: ScopeAddress?, in readers: Readers, noting log: ReadLog? = nil) {
            (self.node, self.address, self.readers, self.log) = (node, address, readers, log)
        }

        /// A reader for a caller that is inside a store, which finds nothing.
        init() { (node, address, readers, log) = (nil, nil, nil, nil) }

        /// The store whose states it reads; nil if the caller is inside a store.
        var core: Core? { readers?.core }

        /// The instance from which it reads; nil for the root.
        ///
        /// In a rule of an instance, this is the instance: `Dismissal(of:)` closes it in the same step.
        public var scope: Scope? {
            if let core, let address { Scope(core, address) } else { nil }
        }

        /// The current value of a state, in the innermost scope that owns it; nil if no registered module does.
        ///
        /// - Complexity: O(1). The value shares its storage with the store until either changes.
        public subscript<S: State>(_ type: S.Type) -> S? {
            cell(of: type)?.typed(as: type)?.value
        }

        /// The current value of a state.
        ///
        /// - Throws: ``StoreError/stateNotOwned(_:at:)`` if no registered module owns it,
        ///   ``StoreError/noInstance(_:at:)`` if the reader reads from an instance that doesn't exist. This is also
        ///   reported. ``StoreError/insideStore(at:)`` if the reader was lent by ``StateReading/readNow(_:)`` inside a
        ///   store.
        /// - Complexity: O(1). The value shares its storage with the store until either changes.
        public func state<S: State>(
            of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line
        ) throws(StoreError) -> S {
            try state(of: type, at: CallSite(fileID: fileID, line: line))
        }

        func state<S: State>(of type: S.Type, at site: CallSite) throws(StoreError) -> S {
            if let value = self[type] { return value }
            throw reportMissing(type, at: site)
        }

        /// Reports that there is nothing to read.
        ///
        /// - Parameter state: The state; nil if any would do.
        func reportMissing(_ state: (any State.Type)?, at site: CallSite?) -> StoreError {
            let place = site ?? CallSite()
            guard let readers else { return .insideStore(at: place) }
            let reporter = readers.reporter
            guard readers.isOpen else {
                reporter.refused(.storeShutDown, at: site)
                return .storeShutDown(at: place)
            }
            if node == nil, let scope {
                reporter.refused(readers.absence(of: scope), at: site)
                return .noInstance(scope, at: place)
            }
            guard let state else { return .storeShutDown(at: place) }
            reporter.refused(.stateNotOwned(state), at: site)
            return .stateNotOwned(state, at: place)
        }

        /// The current values of a state in all instances of a module, in the order of their registration.
        ///
        /// The instances are those of the innermost scope, from the reader's scope outward, that has any. Instances
        /// that don't own such a state are left out. A selection that uses this is made again when one of these states
        /// has been touched, has appeared or gone, or when an instance has appeared or disappeared.
        ///
        /// - Complexity: O(n) in the number of instances.
        public func states<S: State, M: Module & Identifiable>(
            of type: S.Type = S.self, in module: M.Type
        ) -> [(id: M.ID, state: S)] where M.ID: Sendable {
            instances(of: module).compactMap { instance in
                guard let id = instance.address?.id.value(as: M.ID.self) else { return nil }
                return cell(of: type, in: instance)?.typed(as: type).map { (id, $0.value) }
            }
        }

        // MARK: Looking up

        /// The cell of a state in the innermost scope that owns it.
        ///
        /// - Parameter part: The part of it that is read, as a source.
        func cell(of state: any State.Type, reading part: (AnyStateCell) -> Source = \.source) -> AnyStateCell? {
            node?.outward.firstNonNil { cell(of: state, in: $0, reading: part) }
        }

        private func cell(
            of state: any State.Type, in scope: ScopeNode, reading part: (AnyStateCell) -> Source = \.source
        ) -> AnyStateCell? {
            let cell = scope.ownCell(of: state)
            if let log { log.note(cell.map(part) ?? scope.absence(of: state)) }
            return cell
        }

        private func instances(of module: any Module.Type) -> [ScopeNode] {
            let group = node?.outward.firstNonNil { scope in
                if let log { log.note(scope.instancesSource(of: module)) }
                return scope.group(of: module).flatMap { $0.hasInstances ? $0 : nil }
            }
            return group?.inOrder ?? []
        }
    }
}
