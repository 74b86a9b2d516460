extension Relux {
    /// Something that a store runs: a ``Saga``, a ``Flow``, or a ``Watcher``. Nothing else conforms to it.
    public protocol Runnable: Sendable {}
}
