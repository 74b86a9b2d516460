extension Relux {
    /// A name that sagas share, so that their policies apply to the runs of all of them together.
    ///
    /// ```swift
    /// func policy(for effect: SignIn) -> Relux.Policy { .serial.in(.init("session")) }
    /// func policy(for effect: SignOut) -> Relux.Policy { .serial.in(.init("session")) }
    /// ```
    ///
    /// Two lanes are equal if their names have the same type and are equal. `cancel(lane)` cancels all of their runs.
    public struct Lane: Sendable, Hashable, CustomStringConvertible {
        // A reference, because each run stores its policy.
        private let name: Name

        private final class Name: Sendable {
            let value: AnySendableHashable

            init(_ value: some Hashable & Sendable) {
                self.value = AnySendableHashable(value)
            }
        }

        /// Names a lane.
        public init(_ name: some Hashable & Sendable) {
            self.name = Name(name)
        }

        /// The name as text.
        public var description: String { name.value.description }

        /// Whether both have the same name.
        public static func == (lhs: Lane, rhs: Lane) -> Bool { lhs.name.value == rhs.name.value }

        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(name.value) }
    }
}
