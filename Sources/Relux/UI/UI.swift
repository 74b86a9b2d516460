extension Relux {
    /// The bridge between a store and a user interface. It doesn't depend on any UI framework, except for a few SwiftUI
    /// declarations.
    public enum UI {}
}

extension Relux.UI {
    /// The contents of a view: a small value that is selected from states.
    ///
    /// A view is given props and callbacks. It knows nothing about a store.
    public protocol ViewProps: Hashable, Sendable {}

    /// The callbacks of a view: a struct of ``ViewCallback``s.
    public protocol ViewCallbacks: Hashable, Sendable {}
}
