/// Stores the history of a list, separately from the list. Nothing that happens to the history affects the list.
///
/// Several services, in one process or in many, may use the same stored history.
public protocol ItemsHistoryService: Sendable {
    /// Reads the history. It is empty if nothing has been saved yet, which is not an error.
    ///
    /// - Throws: If the history can't be read. In that case nothing is changed.
    func load() async throws(ItemsServiceError) -> ItemsHistory

    /// Merges changes into the stored history, in their order and in one step.
    ///
    /// - Returns: The stored history after the save, including changes made elsewhere.
    /// - Throws: If the changes can't be saved. A history that can't be read completely isn't written to.
    func save(_ changes: [ItemsHistory.Change]) async throws(ItemsServiceError) -> ItemsHistory

    /// Keeps a history that can't be read under another name, so that a new one begins with the next save. A history
    /// that can be read stays where it is.
    ///
    /// - Returns: Where the unreadable history is now, or nil if there was none.
    /// - Throws: If it can't be moved. In that case nothing is changed.
    func setAside() async throws(ItemsServiceError) -> String?
}
