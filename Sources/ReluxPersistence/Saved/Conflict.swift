/// What a save does if somebody else has saved since this store has loaded or saved.
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

    /// Saves what a closure makes of both.
    ///
    /// - Parameter merge: Gets what both have started from (nil if nothing was shared), what this store has now, and
    ///   what somebody else has saved. It may be called again if somebody else saves meanwhile.
    public static func merge(
        _ merge: @escaping @Sendable (_ base: Payload?, _ ours: Payload, _ theirs: Payload) throws -> Payload
    ) -> Conflict {
        Conflict(kind: .merge(merge))
    }
}
