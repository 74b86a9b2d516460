/// Stores items.
///
/// Several services, in one process or in many, may use the same stored items.
///
/// - Ordering: The saves of one service run one at a time. Snapshots may arrive in a different order from the one in
///   which they were taken. ``ItemsSnapshot/revision`` identifies the newer one.
public protocol ItemsService: Sendable {
    /// Reads all items. There are none if nothing has been saved yet, which is not an error.
    ///
    /// - Throws: If the items can't be read. In that case nothing is changed.
    /// - Complexity: O(*n*) in the number of items.
    func load() async throws(ItemsServiceError) -> ItemsSnapshot

    /// Merges changes into the stored items, in their order and in one step: other readers see all of them or none.
    ///
    /// - Returns: The stored items after the save, including changes made elsewhere.
    /// - Throws: If the changes can't be saved. The stored items are then unchanged, with one exception: if the final
    ///   step of making the write durable fails, the changes may have been stored. Saving them again is harmless.
    /// - Complexity: O(*n*) in the number of items.
    func save(_ changes: [ItemChange]) async throws(ItemsServiceError) -> ItemsSnapshot

    /// The changes made elsewhere since the last load or save of this service.
    ///
    /// The sequence doesn't include this service's own saves, nor anything that one of its loads or saves returns in
    /// the meantime. A slow reader receives only the newest snapshot. A failure to read doesn't end the sequence: once
    /// the problem is fixed elsewhere, the next snapshot follows.
    ///
    /// - Returns: A sequence for a single reader. It ends when the reading task is cancelled, when the sequence is
    ///   released, or after a failure from which it can't recover.
    func changesElsewhere() async -> AsyncStream<Result<ItemsSnapshot, ItemsServiceError>>
}

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
