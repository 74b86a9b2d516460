/// What a save does if somebody else has saved since this store last loaded or saved.
public struct Conflict<Payload: Sendable>: Sendable {
    enum Kind {
        case keepOurs
        case keepTheirs
        case merge(@Sendable (_ base: Payload?, _ ours: Payload, _ theirs: Payload) throws -> Payload)
    }

    let kind: Kind

    /// The value of this store replaces the other one.
    public static var keepOurs: Conflict { Conflict(kind: .keepOurs) }

    /// The other value stays. Without `follows`, this store keeps its own in memory until the next load.
    public static var keepTheirs: Conflict { Conflict(kind: .keepTheirs) }

    /// Saves the result of a closure that merges both values.
    ///
    /// - Parameter merge: Gets the value from which both have started (nil if there was none), the value that this
    ///   store has now, and the value that somebody else has saved. It may be called again if somebody else saves in
    ///   the meantime.
    public static func merge(
        _ merge: @escaping @Sendable (_ base: Payload?, _ ours: Payload, _ theirs: Payload) throws -> Payload
    ) -> Conflict {
        Conflict(kind: .merge(merge))
    }
}
