/// The observers of a store, at least one.
///
/// An immutable object, so that the first observer is called in place. In an array, it would be copied for each call.
///
/// - Isolation: The core's.
final class ObserverList {
    let first: any Relux.StoreObserver
    private let all: [any Relux.StoreObserver]

    init?(_ observers: [any Relux.StoreObserver]) {
        guard let first = observers.first else { return nil }
        self.first = first
        all = observers
    }

    /// Calls every observer.
    func tell(_ body: (any Relux.StoreObserver) -> Void) {
        for observer in all { body(observer) }
    }

    /// Whether the first observer is the only one.
    @inline(__always)
    var isLone: Bool { all.count == 1 }
}
