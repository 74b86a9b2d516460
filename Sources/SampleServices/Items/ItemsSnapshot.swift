/// All stored items, as a service saw them at one point in time.
public struct ItemsSnapshot: Sendable, Equatable {
    /// The items, in no particular order. Each id occurs once.
    public let items: [Item]

    /// The relative age of the snapshot within one service. A later snapshot has a greater revision, or the same one if
    /// nothing has changed. Revisions of different services can't be compared.
    public let revision: Int

    /// Creates a snapshot.
    ///
    /// - Parameters:
    ///   - items: The items. Each id must occur once.
    ///   - revision: The relative age of the snapshot within its service.
    public init(items: [Item], revision: Int) {
        self.items = items
        self.revision = revision
    }
}

extension ItemsSnapshot: CustomStringConvertible {
    /// The number of items and the revision. The items themselves would swamp a log.
    public var description: String { "\(items.count) items, revision \(revision)" }
}
