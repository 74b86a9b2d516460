/// All stored items, as a service saw them at one moment.
public struct ItemsSnapshot: Sendable, Equatable {
    /// The items, in no particular order, each id once.
    public let items: [Item]

    /// Tells snapshots of one service apart by age: a later one has a greater or, if nothing has changed, the same
    /// revision. Revisions of different services can't be compared.
    public let revision: Int

    /// Makes a snapshot.
    ///
    /// - Parameters:
    ///   - items: The items, each id once.
    ///   - revision: The age of the snapshot within its service.
    public init(items: [Item], revision: Int) {
        self.items = items
        self.revision = revision
    }
}

extension ItemsSnapshot: CustomStringConvertible {
    /// How many items there are, and the revision: logs have no use for thousands of items.
    public var description: String { "\(items.count) items, revision \(revision)" }
}
