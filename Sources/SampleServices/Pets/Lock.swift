import Foundation

/// A value that is accessible only inside `withLock`.
///
/// It uses `NSLock` instead of `Synchronization.Mutex` because the thread sanitizer doesn't recognize `Mutex` on Linux
/// and reports false races.
// @unchecked Sendable: `value` is accessed only while `lock` is held.
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
