extension Relux {
    /// A name that sagas share, so that their policies relate their runs to each other.
    ///
    /// ```swift
    /// func policy(for effect: SignIn) -> Relux.Policy { .serial.in(.init("session")) }
    /// func policy(for effect: SignOut) -> Relux.Policy { .serial.in(.init("session")) }
    /// ```
    ///
    /// Two lanes are equal if their names have the same type and are equal. `cancel(lane)` cancels all of their runs.
    public struct Lane: Sendable, Hashable, CustomStringConvertible {
        private let name: AnySendableHashable

        /// Names a lane.
        public init(_ name: some Hashable & Sendable) {
            self.name = AnySendableHashable(name)
        }

        /// The name as text.
        public var description: String { name.description }
    }
}
