/// A history that lasts as long as the process: for tests and previews.
///
/// A closure, run before each load and save, lets a test make them fail, or hold them until it lets them go on.
public actor InMemoryItemsHistoryService: ItemsHistoryService {
    /// Runs before a load, or before a save with what happened: throws what that is to throw.
    public typealias Hook = @Sendable ([ItemsHistory.Change]?) async throws(ItemsServiceError) -> Void

    /// What is stored now.
    public private(set) var history: ItemsHistory

    private let hook: Hook

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - history: What is stored at the beginning.
    ///   - hook: Runs before each load, with nil, and each save, with what happened. The default does nothing.
    public init(_ history: ItemsHistory = ItemsHistory(), hook: @escaping Hook = { (_) throws(ItemsServiceError) in }) {
        self.history = history
        self.hook = hook
    }

    /// Returns what is stored.
    ///
    /// - Returns: The history as it is stored now.
    /// - Throws: What the hook throws.
    public func load() async throws(ItemsServiceError) -> ItemsHistory {
        try await hook(nil)
        return history
    }

    /// Merges what happened into what is stored.
    ///
    /// - Parameter changes: What happened.
    /// - Returns: What is stored now.
    /// - Throws: What the hook throws; nothing is changed then.
    public func save(_ changes: [ItemsHistory.Change]) async throws(ItemsServiceError) -> ItemsHistory {
        try await hook(changes)
        for change in changes { history.apply(change) }
        return history
    }
}
