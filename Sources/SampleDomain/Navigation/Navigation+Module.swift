public import Relux

extension Navigation {
    /// The stack of pages as a feature of an app.
    public struct Module: Relux.Module {
        /// Creates the module.
        public init() {}

        /// An empty stack.
        public var states: [any Relux.State] { [Stack()] }
    }
}
