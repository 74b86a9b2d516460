extension Relux.UI {
    /// What a view shows: a small value, selected from states.
    ///
    /// Views are made of these and of callbacks, and know nothing of a store.
    public protocol ViewProps: Hashable, Sendable {}

    /// What a view can do: a struct of ``ViewCallback``s.
    public protocol ViewCallbacks: Hashable, Sendable {}
}
