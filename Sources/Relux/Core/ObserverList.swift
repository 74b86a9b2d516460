/// The observers of a store, at least one.
///
/// An immutable object, so that the first observer is called in place. In an array, it would be copied for each call.
///
/// - Isolation: The core's.
final class ObserverList {
    let first: any Relux.StoreObserver
    private let all: [any Relux.StoreObserver]
    /// Those observers that also read the states.
    private let stateObservers: [any Relux.StateObserver]

    init?(_ observers: [any Relux.StoreObserver]) {
        guard let first = observers.first else { return nil }
        self.first = first
        all = observers
        stateObservers = observers.compactMap { $0 as? any Relux.StateObserver }
    }

    /// Calls every observer.
    func tell(_ body: (any Relux.StoreObserver) -> Void) {
        for observer in all { body(observer) }
    }

    /// Calls every observer that also reads the states.
    func tellStateObservers(_ body: (any Relux.StateObserver) -> Void) {
        for observer in stateObservers { body(observer) }
    }

    /// Whether the first observer is the only one, and doesn't read the states.
    @inline(__always)
    var isLone: Bool { all.count == 1 && stateObservers.isEmpty }

    var count: Int { all.count }

    /// Passes a record whose time is fixed to all observers but the first.
    ///
    /// - Parameters:
    ///   - own: How many are left out.
    ///   - makeReader: Makes a reader of the states.
    func report(_ record: Relux.ActionRecord, notTelling own: Int, _ makeReader: () -> Relux.StateReader) {
        let others = all.dropFirst(own)
        for observer in others { observer.actionReduced(record) }
        for case let observer as any Relux.StateObserver in others {
            observer.actionReduced(record, leaving: makeReader())
        }
    }

    /// Passes a record to every observer.
    ///
    /// - Parameter makeReader: Makes a reader of the states.
    func report(_ record: Relux.ActionRecord, _ makeReader: () -> Relux.StateReader) {
        // The time that one observer takes must not count in what the next one reads.
        record.reduction.fixTime()
        tell { observer in observer.actionReduced(record) }
        for observer in stateObservers { observer.actionReduced(record, leaving: makeReader()) }
    }
}
