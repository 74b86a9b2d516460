import Relux

/// Gives the sagas of a store's modules access to that store, and keeps it alive.
final class Reference: Sendable {
    private let contents = Lock<Relux.Store?>(nil)

    var store: Relux.Store? {
        get { contents.withLock { $0 } }
        set { contents.withLock { $0 = newValue } }
    }
}
