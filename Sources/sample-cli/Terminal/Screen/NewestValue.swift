import Foundation

/// The newest of many values, for one thread that takes them at its own pace. Values that it was too slow to take are
/// dropped.
// @unchecked Sendable: `value` is accessed only while the lock of `condition` is held.
final class NewestValue<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value?

    func put(_ value: Value) {
        condition.lock()
        self.value = value
        condition.signal()
        condition.unlock()
    }

    /// Removes and returns the pending value, blocking the thread until there is one.
    func take() -> Value {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let value {
                self.value = nil
                return value
            }
            condition.wait()
        }
    }
}
