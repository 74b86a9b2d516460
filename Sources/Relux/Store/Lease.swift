import Synchronization

extension Relux {
    /// A hold on a module, for a screen's worth of state: the module stays for as long as a lease holds it.
    ///
    /// Released without ``end()`` it posts the unregistration, which comes before any later `attach` of that task, and
    /// waits for nothing. It doesn't keep the store alive.
    public final class Lease: Sendable {
        private let module: any Module.Type
        private let lease: UInt64
        private let generation: UInt64
        private let engine: Engine
        private let isEnded = Atomic(false)

        init(on module: any Module.Type, lease: UInt64, generation: UInt64, _ engine: Engine) {
            self.module = module
            self.lease = lease
            self.generation = generation
            self.engine = engine
        }

        deinit {
            guard !isEnded.load(ordering: .relaxed) else { return }
            engine.post { [lease, generation, module] core in
                _ = core.endLease(lease, generation: generation, of: module, by: .outside)
            }
        }

        /// Gives the hold up. If it was the last, the module's runs are cancelled and its states removed, in one step;
        /// then it waits until those runs have ended.
        ///
        /// Further calls do nothing. Called from inside a run of the module it doesn't wait for that run, nor for those
        /// that await it. Cancelling the waiting task doesn't cut the wait short.
        public nonisolated(nonsending) func end() async {
            guard !isEnded.exchange(true, ordering: .relaxed) else { return }
            let speaker = Speaker.ofCurrentTask(in: engine)
            let ending = await engine.enter { [lease, generation, module] core in
                core.endLease(lease, generation: generation, of: module, by: speaker)
            }
            _ = await ending?.wait()
        }
    }
}
