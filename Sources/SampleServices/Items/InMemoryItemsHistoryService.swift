/// A history that is kept in memory, for tests and previews.
///
/// A closure that runs before each load and save lets a test make it fail or delay it.
public actor InMemoryItemsHistoryService: ItemsHistoryService {
    /// Runs before a load, with nil, or before a save, with its changes. The load or save throws any error that the
    /// hook throws.
    public typealias Hook = @Sendable ([ItemsHistory.Change]?) async throws(ItemsServiceError) -> Void

    /// The stored history.
    public private(set) var history: ItemsHistory

    /// Whether an unreadable history has been set aside.
    public private(set) var isSetAside = false

    private let hook: Hook

    /// Creates a service.
    public init(_ history: ItemsHistory = ItemsHistory(), hook: @escaping Hook = { (_) throws(ItemsServiceError) in }) {
        self.history = history
        self.hook = hook
    }

    /// Returns the stored history.
    public func load() async throws(ItemsServiceError) -> ItemsHistory {
        try await hook(nil)
        return history
    }

    /// Merges changes into the stored history.
    public func save(_ changes: [ItemsHistory.Change]) async throws(ItemsServiceError) -> ItemsHistory {
        try await hook(changes)
        for change in changes { history.apply(change) }
        return history
    }

    /// Removes the stored history if the hook fails a load.
    public func setAside() async throws(ItemsServiceError) -> String? {
        do {
            try await hook(nil)
            return nil
        } catch {
            history = ItemsHistory(limit: history.limit)
            isSetAside = true
            return "unreadable history"
        }
    }
}
