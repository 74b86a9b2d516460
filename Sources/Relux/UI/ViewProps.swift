extension Relux.UI {
    /// What a view shows: a small value that is selected from states.
    ///
    /// A view is given props and callbacks. It knows nothing about a store.
    public protocol ViewProps: Hashable, Sendable {}

    /// What a view can trigger: a struct of ``ViewCallback``s.
    public protocol ViewCallbacks: Hashable, Sendable {}
}
