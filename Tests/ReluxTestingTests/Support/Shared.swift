import Relux

/// A value that closures on other threads may set.
final class Shared<Value: Sendable>: Sendable {
    private let contents: Lock<Value>

    init(_ value: Value) {
        contents = Lock(value)
    }

    var value: Value {
        get { contents.withLock { $0 } }
        set { contents.withLock { $0 = newValue } }
    }
}
