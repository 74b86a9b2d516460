import Relux
import TestFixtures

/// Opens a gate once states have been reset or a module has been unregistered.
struct RemovalObserver: Relux.StoreObserver {
    let happened = Gate()

    func moduleUnregistered(_ module: any Relux.Module.Type, in scope: Relux.Scope?) { happened.open() }

    func statesReset(_ states: [any Relux.State.Type], leaving _: borrowing Relux.StateReader) { happened.open() }
}
