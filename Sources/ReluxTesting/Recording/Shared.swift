import Relux

/// A mutable value shared by several tasks.
package final class Shared<Value: Sendable>: Sendable {
    private let contents: Lock<Value>

    package init(_ value: Value) {
        contents = Lock(value)
    }

    package var value: Value {
        get { contents.withLock { $0 } }
        set { contents.withLock { $0 = newValue } }
    }

    /// Changes the value as a whole, unlike a change through ``value``, which reads and then writes.
    package func change(_ change: (inout Value) -> Void) {
        contents.withLock { change(&$0) }
    }
}
