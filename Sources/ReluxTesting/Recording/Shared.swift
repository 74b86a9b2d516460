import Relux

/// A mutable value shared by several tasks.
final class Shared<Value: Sendable>: Sendable {
    private let contents: Lock<Value>

    init(_ value: Value) {
        contents = Lock(value)
    }

    var value: Value { contents.withLock { $0 } }

    func change(_ change: @Sendable (inout Value) -> Void) {
        contents.withLock { value in change(&value) }
    }
}
