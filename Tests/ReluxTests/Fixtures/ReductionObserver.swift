import Relux

/// Opens a gate once the action with a number has been reduced. What it sets off is there when one enters the
/// store next.
struct ReductionObserver: Relux.StoreObserver {
    let number: UInt64
    let happened = Gate()

    init(awaiting number: UInt64) {
        self.number = number
    }

    func actionReduced(_ record: Relux.ActionRecord) {
        if record.sequence == number { happened.open() }
    }
}
