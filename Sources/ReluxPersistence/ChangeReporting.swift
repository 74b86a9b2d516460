/// A storage that calls a closure when data may have changed. ``Storage/changes(of:)`` is implemented with it.
package protocol ChangeReporting: Storage {
    /// - Parameter report: Called on any thread, until the returned closure is called.
    func reportChanges(of key: String, _ report: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension ChangeReporting {
    /// Reports that somebody has changed the data of a key, including the caller.
    public func changes(of key: String) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let stop = reportChanges(of: key) { continuation.yield() }
            continuation.onTermination = { _ in stop() }
        }
    }
}
