import Synchronization

extension Relux {
    /// Keeps a module registered, for example for as long as a screen is visible.
    ///
    /// If a lease is released without ``end()``, it posts the unregistration and doesn't wait. The unregistration is
    /// ordered before any later `attach` by the releasing task. A lease doesn't keep the store alive.
    public final class Lease: Sendable {
        private let number: Core.LeaseNumber
        private let module: any Module.Type
        private let core: Core
        private let isEnded = Atomic(false)

        init(_ number: Core.LeaseNumber, on module: any Module.Type, in core: Core) {
            self.number = number
            self.module = module
            self.core = core
        }

        deinit {
            guard !isEnded.load(ordering: .relaxed) else { return }
            core.post { [number, module] core in
                _ = core.endLease(number, of: module, as: .outside)
            }
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
            let halted = await core.enter(as: .current(in: core)) { core, origin in
                core.endLease(number, of: module, as: origin)
            }
            await halted?.wait()
        }
    }
}
