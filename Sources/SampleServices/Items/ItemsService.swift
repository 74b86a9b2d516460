/// Where items are kept.
///
/// Several services, in one process or in many, may stand before the same store of items.
///
/// - Isolation: None. The methods can be called from anywhere, at the same time, and block no thread of the
///   cooperative pool for long.
/// - Ordering: Saves of one service are carried out one at a time. Snapshots may reach their readers in another order
///   than they were taken; ``ItemsSnapshot/revision`` tells the newer one.
public protocol ItemsService: Sendable {
    /// Reads all items. Where nothing has been saved yet there are none, which is no error.
    ///
    /// - Returns: The items as they are stored now.
    /// - Throws: What kept the items from being read. Nothing has been changed then.
    /// - Complexity: O(*n*) in the number of items.
    func load() async throws(ItemsServiceError) -> ItemsSnapshot

    /// Merges changes into what is stored now, in their order and in one step: other readers see all of them or none.
    ///
    /// Cancelling the task while the save waits for its turn ends it with ``ItemsServiceError/Reason/cancelled``, and
    /// nothing is changed. A save that has begun to write isn't interrupted.
    ///
    /// - Parameter changes: What is to become of which items.
    /// - Returns: What is stored now: the changes, and whatever had been changed elsewhere.
    /// - Throws: What kept the changes from being saved. What was stored before is left as it was, except that after
    ///   a failure to make the last write durable the changes may be there; saving them again does no harm.
    /// - Complexity: O(*n*) in the number of items.
    func save(_ changes: [ItemChange]) async throws(ItemsServiceError) -> ItemsSnapshot

    /// The changes that others make, from what a load or save of this service has returned last.
    ///
    /// What this service saves itself isn't among them, nor what one of its loads or saves returns in the meantime. A
    /// reader that is away gets the newest snapshot only. A failure to read doesn't end the sequence: when others have
    /// mended the matter the next snapshot follows.
    ///
    /// - Returns: A sequence for one reader. It ends when its task is cancelled, when it is released, and, after a
    ///   failure, when it can't go on.
    func changesElsewhere() async -> AsyncStream<Result<ItemsSnapshot, ItemsServiceError>>
}
