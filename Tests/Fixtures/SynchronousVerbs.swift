import Relux

/// The synchronous verbs for tests, which are asynchronous code.
extension Relux.ActionDispatching {
    @discardableResult
    package func doNow(_ action: some Relux.Action) -> Relux.Dispatched { dispatchNow(action) }

    @discardableResult
    package func doNow(contentsOf batch: some Collection<some Relux.Action> & Sendable) -> Relux.Dispatched {
        dispatchNow(contentsOf: batch)
    }
}

extension Relux.StateReading {
    package func lookNow<S: Relux.State>(at state: S.Type) throws(Relux.StoreError) -> S { try stateNow(of: state) }

    package func lookNow<Value, Failure: Error>(
        _ body: (borrowing Relux.StateReader) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try readNow(body)
    }
}
