public import Relux

extension Navigation {
    /// The stack of pages as a feature of an app.
    public struct Module: Relux.Module {
        /// Makes the module.
        public init() {}

        /// The stack, with nothing on it.
        public var states: [any Relux.State] { [Stack()] }
    }
}
