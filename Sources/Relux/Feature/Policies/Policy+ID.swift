/// Policies that concern only the triggers with the same id.
extension Relux.Policy {
    /// Applies ``concurrent(limit:)`` to the triggers with the same id.
    ///
    /// - Parameter limit: The number of runs that may be active at the same time. Less than 1 counts as 1.
    public static func concurrent(limit: Int, id: some Hashable & Sendable) -> Relux.Policy {
        Relux.Policy(kind: .limited(max(limit, 1)), id: AnySendableHashable(id))
    }

    /// Doesn't exist: concurrent runs are related to no others, with or without an id.
    @available(
        *, unavailable,
        message: """
            Concurrent runs are related to no others, so an id would have no meaning. Use `.concurrent`, or \
            `.concurrent(limit:id:)` to limit how many run at the same time.
            """
    )
    public static func concurrent(id: some Hashable & Sendable) -> Relux.Policy { .concurrent }

    /// Applies ``latest`` to the triggers with the same id.
    public static func latest(id: some Hashable & Sendable) -> Relux.Policy { .latest(limit: 1, id: id) }

    /// Applies ``latest(limit:)`` to the triggers with the same id.
    ///
    /// - Parameter limit: The number of runs to keep, the new one included. Less than 1 counts as 1.
    public static func latest(limit: Int, id: some Hashable & Sendable) -> Relux.Policy {
        Relux.Policy(kind: .latest(max(limit, 1)), id: AnySendableHashable(id))
    }

    /// Applies ``leading`` to the triggers with the same id.
    public static func leading(id: some Hashable & Sendable) -> Relux.Policy { .leading(limit: 1, id: id) }

    /// Applies ``leading(limit:)`` to the triggers with the same id.
    ///
    /// - Parameter limit: The number of runs that may be active at the same time. Less than 1 counts as 1.
    public static func leading(limit: Int, id: some Hashable & Sendable) -> Relux.Policy {
        Relux.Policy(kind: .leading(max(limit, 1)), id: AnySendableHashable(id))
    }

    /// Applies ``serial`` to the triggers with the same id.
    public static func serial(id: some Hashable & Sendable) -> Relux.Policy {
        Relux.Policy(kind: .serial, id: AnySendableHashable(id))
    }

    /// Applies ``shared`` to the triggers with the same id.
    public static func shared(id: some Hashable & Sendable) -> Relux.Policy {
        Relux.Policy(kind: .shared, id: AnySendableHashable(id))
    }

    /// Applies ``conflated`` to the triggers with the same id.
    public static func conflated(id: some Hashable & Sendable) -> Relux.Policy {
        Relux.Policy(kind: .conflated, id: AnySendableHashable(id))
    }

    /// Applies ``debounce(_:keepingActive:)`` to the triggers with the same id.
    ///
    /// - Parameters:
    ///   - delay: The quiet time, on the store's clock. Zero or less means immediately.
    ///   - keepingActive: Whether only earlier triggers are superseded, and active runs continue.
    public static func debounce(
        _ delay: Duration, keepingActive: Bool = false, id: some Hashable & Sendable
    ) -> Relux.Policy {
        Relux.Policy(kind: .debounce(delay, keepingActive: keepingActive), id: AnySendableHashable(id))
    }

    /// Applies ``throttle(_:trailing:)`` to the triggers with the same id.
    ///
    /// - Parameters:
    ///   - interval: The length of the window, on the store's clock. Zero or less lets every trigger run.
    ///   - trailing: Whether the last trigger of a window starts when the window ends. With `false`, all triggers
    ///     inside the window are dropped.
    public static func throttle(
        _ interval: Duration, trailing: Bool = true, id: some Hashable & Sendable
    ) -> Relux.Policy {
        Relux.Policy(kind: .throttle(interval, trailing: trailing), id: AnySendableHashable(id))
    }
}
