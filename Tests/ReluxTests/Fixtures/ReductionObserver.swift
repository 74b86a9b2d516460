import Relux
import TestFixtures

/// Waits for the step of the action with the given number.
struct ReductionObserver: Relux.StoreObserver {
    let number: UInt64
    private let happened = Gate()

    init(awaiting number: UInt64) {
        self.number = number
    }

    func actionReduced(_ record: Relux.ActionRecord, leaving _: borrowing Relux.StateReader) {
        if record.sequence == number { happened.open() }
    }

    /// Waits until the action has been reduced, and the runs that it triggers exist. Observers are told during the
    /// step, so this also waits until the step is over, by entering the store.
    func stepEnds(in store: Relux.Store) async {
        await happened.pass()
        _ = try? await store.log()
    }
}
