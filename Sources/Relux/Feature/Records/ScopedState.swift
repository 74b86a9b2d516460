extension Relux {
    /// A state of a store, with the scope that owns it.
    public struct ScopedState: Sendable {
        /// The instance that owns the state; nil for the root.
        public let scope: Scope?

        /// The value.
        public let state: any State

        /// Creates a value to compare with what a store has.
        ///
        /// - Parameters:
        ///   - scope: The instance that owns the state; nil for the root.
        ///   - state: The value.
        package init(scope: Scope?, state: any State) {
            self.scope = scope
            self.state = state
        }
    }
}
