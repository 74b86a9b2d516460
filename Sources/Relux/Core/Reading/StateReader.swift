extension Relux {
    /// Reads any states at one point of the total order.
    ///
    /// It is lent to closures that are executed inside the store, and can't be kept. Everything that such a closure
    /// reads belongs to the same moment: either all reducers of an action have run, or none. Keep the closure short;
    /// the store waits for it.
    public struct StateReader: ~Copyable {
        /// Where it reads; nil for a reader that finds nothing.
        let node: ScopeNode?
        /// The instance that doesn't exist.
        private let missing: Scope?
        /// Nil if the caller is inside a store.
        let core: Core?
        private let reporter: Reporter?
        private let isOpen: Bool
        /// Notes what is read, for a selection that must be repeated when that changes.
        private let log: ReadLog?

        init(at node: ScopeNode?, missing: Scope? = nil, in core: isolated Core, noting log: ReadLog? = nil) {
            (self.node, self.missing) = (node, missing)
            (self.core, reporter, isOpen, self.log) = (core, core.reporter, core.phase == .open, log)
        }

        /// A reader for a caller that is inside a store, which finds nothing.
        init() {
            (node, missing, core, reporter, isOpen, log) = (nil, nil, nil, nil, true, nil)
        }

        /// The instance from which it reads; nil for the root.
        ///
        /// In a rule of an instance, this is the instance: `Dismissal(of:)` closes it in the same step.
        public var scope: Scope? {
            guard let node, let core else { return missing }
            return node.name(in: core)
        }

        /// The current value of a state, in the innermost scope that owns it; nil if no registered module does.
        ///
        /// - Complexity: O(1). The value shares its storage with the store until either changes.
        public subscript<S: State>(_ type: S.Type) -> S? {
            cell(of: ObjectIdentifier(type))?.typed(as: type)?.value
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
            guard isOpen else {
                reporter?.refused(.storeShutDown, at: site)
                return .storeShutDown(at: place)
            }
            guard core != nil else { return .insideStore(at: place) }
            if let missing {
                reporter?.refused(.noInstance(missing), at: site)
                return .noInstance(missing, at: place)
            }
            guard let state else { return .storeShutDown(at: place) }
            reporter?.refused(.stateNotOwned(state), at: site)
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
            let key = ObjectIdentifier(type)
            return instances(of: ObjectIdentifier(module)).compactMap { instance in
                guard let id = instance.address?.id.value(as: M.ID.self) else { return nil }
                let cell = instance.cells[key]
                note(cell?.source ?? instance.absence(of: key))
                return cell?.typed(as: type).map { (id, $0.value) }
            }
        }

        /// Whether there is such an instance.
        func contains(_ address: ScopeAddress) -> Bool {
            guard var scope = node else { return false }
            for address in address.path {
                let group = scope.group(of: address.module)
                note(group ?? scope.absence(of: ObjectIdentifier(address.module)))
                guard let instance = group?.instance(address.id) else { return false }
                scope = instance
            }
            return true
        }

        // MARK: Looking up

        private func note(_ source: Source) { log?.note(source) }

        /// The cell of a state in the innermost scope that owns it.
        func cell(of state: ObjectIdentifier) -> AnyStateCell? {
            guard let start = node else { return nil }
            guard let log else { return start.cell(of: state) }
            for scope in start.outward {
                if let cell = scope.cells[state] {
                    log.note(cell.source)
                    return cell
                }
                log.note(scope.absence(of: state))
            }
            return nil
        }

        private func instances(of module: ObjectIdentifier) -> [ScopeNode] {
            guard let start = node else { return [] }
            for scope in start.outward {
                if let group = scope.groups[module], !group.isEmpty {
                    note(group)
                    return group.inOrder
                }
                note(scope.absence(of: module))
            }
            return []
        }
    }
}
