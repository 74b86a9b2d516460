extension Relux {
    /// An action that nothing has to handle, such as the announcement `WillSignOut`.
    ///
    /// It is never reported as unhandled, and `actions { }` doesn't count it as a failure. It is reduced, numbered, and
    /// delivered like any other action.
    public protocol Broadcast: Action {}
}
