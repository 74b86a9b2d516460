/// Where the history of a list is kept, beside the list itself. Whatever happens to it, the list is safe.
///
/// Several services, in one process or in many, may stand before the same history.
///
/// - Isolation: None. The methods can be called from anywhere, at the same time, and block no thread of the
///   cooperative pool for long.
public protocol ItemsHistoryService: Sendable {
    /// Reads the history. Where nothing has been saved yet it is empty, which is no error.
    ///
    /// - Returns: The history as it is stored now.
    /// - Throws: What kept it from being read. Nothing has been changed then.
    func load() async throws(ItemsServiceError) -> ItemsHistory

    /// Merges what happened into what is stored now, in its order and in one step.
    ///
    /// Cancelling the task while the save waits for its turn ends it with ``ItemsServiceError/Reason/cancelled``, and
    /// nothing is changed. A save that has begun to write isn't interrupted.
    ///
    /// - Parameter changes: What happened.
    /// - Returns: What is stored now, with whatever had happened elsewhere.
    /// - Throws: What kept it from being saved. A history that can't be read entirely isn't written to.
    func save(_ changes: [ItemsHistory.Change]) async throws(ItemsServiceError) -> ItemsHistory
}
