extension Relux {
    /// Something that happened or is wanted.
    ///
    /// An action is a plain value. It is routed by its exact concrete type to the reducers and sagas of that type. Each
    /// feature therefore declares an enum of its own, and a `switch` over it in the reducer needs no `default`.
    ///
    /// Name actions after what happened (`itemsLoaded`), and effects after what they command (`loadItems`).
    public protocol Action: Sendable {}
}

/// A state without actions of its own declares `Never` as its action and needs no `reduce`.
extension Never: Relux.Action {}
