import Foundation

/// The newest of many values, for one thread that takes them at its own pace. Those that it was too slow for are
/// dropped.
// @unchecked Sendable: `value` is only touched between the lock and the unlock of `condition`.
final class NewestValue<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value?

    /// Puts a value in the place of the one that is there. It waits for nobody.
    func put(_ value: Value) {
        condition.lock()
        self.value = value
        condition.signal()
        condition.unlock()
    }

    /// Takes the value out, and waits in this thread where there is none.
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
