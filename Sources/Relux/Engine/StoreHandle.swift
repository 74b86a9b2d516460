extension Relux {
    /// Identifies a store, and on whose behalf it is used. The verbs of ``ActionDispatching``, ``StateReading``, and
    /// ``ModuleManaging`` go through it.
    ///
    /// A type of your own conforms to these protocols by returning the handle of a store, a dispatcher, or a context.
    ///
    /// - Lifetime: It does not keep the store alive.
    public struct StoreHandle: Sendable {
        let core: Core
        /// The run whose context this is; nil for stores, scopes, and dispatchers.
        let run: RunHandle?
        /// The instance in which it is used; nil for the root.
        let scope: ScopeAddress?

        /// A store, a scope, or a dispatcher.
        init(_ core: Core, in scope: ScopeAddress? = nil) {
            (self.core, self.scope, run) = (core, scope, nil)
        }

        /// The context of a run.
        init(for run: RunHandle) {
            (core, scope, self.run) = (run.core, run.scope, run)
        }

        /// On whose behalf a call is made, and in which scope.
        var origin: Origin { if let run { Origin(run) } else { .current(in: core, scope) } }
    }
}

// MARK: - Actions

extension Relux.StoreHandle {
    func send(_ action: some Relux.Action, at site: Relux.CallSite) {
        core.post(Mailbox.Mail(action: action, origin: origin, site: site))
    }

    @inline(__always)
    nonisolated(nonsending) func dispatch(
        _ action: some Relux.Action, at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        await core.dispatch(action, by: run, in: scope, at: site)
    }

    nonisolated(nonsending) func dispatch(
        contentsOf batch: some Collection<some Relux.Action> & Sendable, at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        await Relux.Dispatched(
            core.enter(as: origin) { core, origin in
                core.dispatch(contentsOf: batch, of: origin, at: site)
            }
        )
    }

    nonisolated(nonsending) func dispatch(
        batch: [any Relux.Action], at site: Relux.CallSite
    ) async -> Relux.Dispatched {
        await Relux.Dispatched(
            core.enter(as: origin) { core, origin in
                core.dispatch(batch: batch, of: origin, at: site)
            }
        )
    }
}
