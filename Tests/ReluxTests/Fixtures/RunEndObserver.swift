import Relux
import TestFixtures

/// Opens a gate once a run has ended.
struct RunEndObserver: Relux.StoreObserver {
    let happened = Gate()

    func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) { happened.open() }
}
