import Foundation

/// A value that is only reached inside `withLock`.
///
/// It is built on `NSLock`, and not on `Synchronization.Mutex`: the thread sanitizer knows the one and not the other on
/// Linux, and reports races that aren't there.
// @unchecked Sendable: `value` is only touched between the lock and the unlock of `lock`.
final class Lock<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) {
        self.value = value
    }

    func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
