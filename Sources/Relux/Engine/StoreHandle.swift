extension Relux {
    /// Identifies a store, and on whose behalf it is used. The verbs of ``ActionDispatching``, ``StateReading``, and
    /// ``ModuleManaging`` go through it.
    ///
    /// A type of your own conforms to these protocols by returning the handle of a store, a dispatcher, or a context.
    ///
    /// - Lifetime: It does not keep the store alive.
    public struct StoreHandle: Sendable {
        let core: Core
        /// The run whose context this is; nil for stores and dispatchers.
        let run: RunHandle?

        init(_ core: Core, for run: RunHandle? = nil) {
            self.core = core
            self.run = run
        }
    }
}

// MARK: - Actions

extension Relux.StoreHandle {
    func send(_ action: some Relux.Action, at site: Relux.CallSite) {
        core.post(Mailbox.Mail(action: action, origin: core.origin(of: run), site: site))
    }

    @inline(__always)
    nonisolated(nonsending) func dispatch(
        _ action: some Relux.Action, at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        await core.dispatch(action, by: run, at: site)
    }

    nonisolated(nonsending) func dispatch(
        contentsOf batch: some Collection<some Relux.Action> & Sendable, at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        await Relux.Dispatched(
            core.enter(as: core.origin(of: run)) { core, origin in
                core.dispatch(contentsOf: batch, Submission(origin, at: site))
            }
        )
    }

    nonisolated(nonsending) func dispatch(
        batch: [any Relux.Action], at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        await Relux.Dispatched(
            core.enter(as: core.origin(of: run)) { core, origin in
                core.dispatch(batch: batch, Submission(origin, at: site))
            }
        )
    }
}
