extension Relux {
    /// Reads any states at one point of the total order.
    ///
    /// It is lent to closures that are executed inside the store, and can't be kept. Everything that such a closure
    /// reads belongs to the same moment: either all reducers of an action have run, or none. Keep the closure short;
    /// the store waits for it.
    public struct StateReader: ~Copyable {
        private let core: Core
        private let place: Core.Place
        private let reporter: Reporter
        private let isOpen: Bool
        /// Notes what is read, for a selection that must be repeated when that changes.
        private let log: ReadLog?

        init(in core: Core, at place: Core.Place, _ reporter: Reporter, isOpen: Bool, noting log: ReadLog?) {
            (self.core, self.place, self.reporter, self.isOpen, self.log) = (core, place, reporter, isOpen, log)
        }

        /// The current value of a state, in the innermost scope that owns it; nil if no registered module does.
        ///
        /// - Complexity: O(1). The value shares its storage with the store until either changes.
        public subscript<S: State>(_ type: S.Type) -> S? {
            guard case .scope(let scope) = place else { return nil }
            let cell = scope.cell(of: type)
            log?.note(.state(ObjectIdentifier(S.self)), cell?.mark)
            return cell?.value
        }

        /// The current value of a state.
        ///
        /// - Throws: ``StoreError/stateNotOwned(_:at:)`` if no registered module owns it,
        ///   ``StoreError/noInstance(_:at:)`` if the reader reads from an instance that doesn't exist. This is also
        ///   reported.
        /// - Complexity: O(1). The value shares its storage with the store until either changes.
        public func state<S: State>(
            of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line
        ) throws(StoreError) -> S {
            try state(of: type, at: CallSite(fileID: fileID, line: line))
        }

        func state<S: State>(of type: S.Type, at site: CallSite) throws(StoreError) -> S {
            if let value = self[type] { return value }
            switch place {
            case .missing(let scope) where isOpen:
                reporter.refused(.noInstance(scope), at: site)
                throw .noInstance(scope, at: site)
            case .scope, .missing:
                reporter.refused(isOpen ? .stateNotOwned(type) : .storeShutDown, at: site)
                throw isOpen ? .stateNotOwned(type, at: site) : .storeShutDown(at: site)
            }
        }

        /// The current values of a state in all instances of a module, in the order of their registration.
        ///
        /// The instances are those of the innermost scope, from the reader's scope outward, that has any. Instances
        /// that don't own such a state are left out. A selection that uses this is made again when one of these states
        /// has been touched, or when an instance has appeared or disappeared.
        ///
        /// - Complexity: O(n) in the number of instances.
        public func states<S: State, M: Module & Identifiable>(
            of type: S.Type = S.self, in module: M.Type
        ) -> [(id: M.ID, state: S)] where M.ID: Sendable {
            guard case .scope(let scope) = place else { return [] }
            let (module, state) = (ObjectIdentifier(module), ObjectIdentifier(type))
            let group = scope.innermostGroup(of: module)
            log?.note(.instances(of: module, state: state), group?.mark(of: state))
            return group?.inOrder.compactMap { instance in
                guard let id = instance.address?.id.value(as: M.ID.self),
                    let cell = instance.states.cell(of: type)
                else { return nil }
                return (id, cell.value)
            } ?? []
        }

        /// Every state of every registered module of the store, for tools: the root's first, then those of the
        /// instances, each before what it contains. Within a scope, in the order of registration.
        ///
        /// A selection that uses this is not made again when one of these states changes. If the reader reads from an
        /// instance that doesn't exist, there are none.
        ///
        /// - Complexity: O(n log n) in the number of states and instances. The values share their storage with the
        ///   store until either changes.
        public var allStates: [ScopedState] {
            scopes.flatMap { scope in
                let owner = scope.address.map { Scope(core, $0) }
                return scope.states.inOrder.compactMap { cell in
                    cell.anyValue.map { ScopedState(scope: owner, state: $0) }
                }
            }
        }

        /// The instances of the store, anywhere in it, whose modules take a type of action, for tools that explain why
        /// an action wasn't taken elsewhere. Each comes before what it contains.
        ///
        /// A selection that uses this is not made again when an instance appears or disappears. If the reader reads
        /// from an instance that doesn't exist, there are none.
        ///
        /// - Complexity: O(n log n) in the number of instances.
        public func instances(taking action: any Action.Type) -> [Scope] {
            scopes.compactMap { scope in
                guard scope.routes[ObjectIdentifier(action)]?.isTaken == true else { return nil }
                return scope.address.map { Scope(core, $0) }
            }
        }

        /// All scopes of the store, each before what it contains.
        private var scopes: [ScopeNode] {
            guard case .scope(let scope) = place, let root = scope.outward.last else { return [] }
            return [root] + root.descendants
        }
    }
}
