extension Relux {
    /// A handle with the verbs that bring actions into a store.
    ///
    /// Containers, callbacks, and controllers get one instead of the store. Two dispatchers are equal if they lead to
    /// the same store and the same scope.
    ///
    /// - Runs: Used in the task of a run, it acts on behalf of that run, as ``Store`` does.
    /// - Lifetime: It doesn't keep the store alive. Once the store is gone, `dispatch` returns no sequence number, and
    ///   `perform` throws ``EffectError/storeShutDown``.
    public struct Dispatcher: ActionDispatching, Hashable {
        let core: Core
        /// The instance that it acts in; nil for the root.
        private let address: ScopeAddress?

        /// The store, used on behalf of whichever run's task calls.
        public var handle: StoreHandle { StoreHandle(core, in: address) }

        init(_ core: Core, in address: ScopeAddress? = nil) {
            self.core = core
            self.address = address
        }

        /// The dispatcher that acts in the root of the same store.
        public var root: Dispatcher { Dispatcher(core) }

        /// A dispatcher that is connected to no store, for previews. It behaves like that of a store that was shut
        /// down.
        public static let none = Dispatcher(.closed)

        /// Whether both lead to the same scope of the same store, or both to no store.
        public static func == (lhs: Dispatcher, rhs: Dispatcher) -> Bool {
            lhs.core === rhs.core && lhs.address == rhs.address
        }

        /// Hashes the store and the path to the scope.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(core))
            hasher.combine(address)
        }
    }
}

extension Relux.StoreHandle {
    /// Leads to the same store and scope.
    var dispatcher: Relux.Dispatcher { Relux.Dispatcher(core, in: scope) }
}
