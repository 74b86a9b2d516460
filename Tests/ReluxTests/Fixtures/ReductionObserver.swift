import Relux

/// Opens a gate once the action with the given number has been reduced. The runs that it triggers exist when the store
/// is next entered.
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
