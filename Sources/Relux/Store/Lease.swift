import Synchronization

extension Relux {
    /// Keeps a module registered, for example for as long as a screen is visible.
    ///
    /// If a lease is released without ``end()``, the module is unregistered as by a `send`: nothing waits, and the
    /// unregistration comes before any later `attach` by the releasing task. A lease doesn't keep the store alive.
    public final class Lease: Sendable {
        private let number: UInt64
        private let module: any Module.Type
        private let id: AnySendableHashable?
        /// Where the module was attached.
        private let holder: StoreHandle
        private let isEnded = Atomic(false)

        init(
            _ number: UInt64, on module: any Module.Type, id: AnySendableHashable?, in holder: StoreHandle
        ) {
            self.number = number
            self.module = module
            self.id = id
            self.holder = StoreHandle(holder.core, in: holder.scope)
        }

        deinit {
            guard !isEnded.load(ordering: .relaxed) else { return }
            holder.core.post { [number, module, id, scope = holder.scope] core in
                _ = core.endLease(number, of: module, id: id, as: .nobody(in: scope))
            }
        }

        /// The attached instance. For a module without an id, the scope in which it was attached.
        public var scope: Scope {
            let address = id.map { ScopeAddress(of: module, id: $0, in: holder.scope) }
            return Scope(holder.core, address ?? holder.scope)
        }

        /// Ends the lease. If nothing else needs the module, one step cancels its runs and removes its states. Then
        /// waits until those runs have ended.
        ///
        /// Further calls have no effect. Called from inside a run of the module, it waits neither for that run nor for
        /// the runs that await it.
        ///
        /// - Cancellation: Ignored.
        public nonisolated(nonsending) func end() async {
            guard !isEnded.exchange(true, ordering: .relaxed) else { return }
            await holder.end { [number, module, id] core, caller in
                core.endLease(number, of: module, id: id, as: caller)
            }
        }
    }
}
