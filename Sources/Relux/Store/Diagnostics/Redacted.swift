extension Relux {
    /// A wrapper for values that must never reach a log. It prints `<private>`.
    ///
    /// Wrap passwords and tokens in actions and states. Printing, interpolation, `dump`, `Mirror` and the library's own
    /// loggers and differences show `<private>`. The wrapper doesn't encrypt: all code that has it can read ``value``.
    public struct Redacted<Value> {
        /// The wrapped value.
        public var value: Value

        /// Wraps a value.
        public init(_ value: Value) {
            self.value = value
        }
    }
}

extension Relux.Redacted: Sendable where Value: Sendable {}
extension Relux.Redacted: Equatable where Value: Equatable {}
extension Relux.Redacted: Hashable where Value: Hashable {}

extension Relux.Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `<private>`.
    public var description: String { "<private>" }

    /// `<private>`.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
