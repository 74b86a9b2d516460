/// Items that are kept in memory, for tests and previews.
///
/// - Reentrancy: While a load or save waits in its hook, others proceed.
public actor InMemoryItemsService: ItemsService {
    /// Runs before a load. It may delay the load, or make it fail.
    public typealias LoadHook = @Sendable () async throws(ItemsServiceError) -> Void

    /// Runs before a save, with its changes. It may delay the save, or make it fail.
    public typealias SaveHook = @Sendable ([ItemChange]) async throws(ItemsServiceError) -> Void

    /// The changes of each successful save, oldest first.
    public private(set) var saves: [[ItemChange]] = []

    private let beforeLoad: LoadHook
    private let beforeSave: SaveHook
    private var items: [Item]
    private let changes = InMemoryChanges<ItemsSnapshot>()

    /// Creates a service. Each id must occur once.
    public init(
        items: [Item] = [],
        beforeLoad: @escaping LoadHook = { () throws(ItemsServiceError) in },
        beforeSave: @escaping SaveHook = { (_) throws(ItemsServiceError) in }
    ) {
        self.items = items
        self.beforeLoad = beforeLoad
        self.beforeSave = beforeSave
    }

    /// The stored items.
    public var snapshot: ItemsSnapshot { ItemsSnapshot(items: items, revision: changes.revision) }

    /// Returns the stored items.
    public func load() async throws(ItemsServiceError) -> ItemsSnapshot {
        try await beforeLoad()
        changes.noteTold()
        return snapshot
    }

    /// Merges changes into the stored items.
    public func save(_ new: [ItemChange]) async throws(ItemsServiceError) -> ItemsSnapshot {
        try await beforeSave(new)
        saves.append(new)
        merge(new)
        changes.noteTold()
        return snapshot
    }

    /// The changes made by ``changeElsewhere(_:)`` since the last load or save, and failures from now on.
    public func changesElsewhere() -> AsyncStream<Result<ItemsSnapshot, ItemsServiceError>> {
        changes.stream(of: snapshot)
    }

    /// Changes the stored items as another process would, and notifies the readers.
    public func changeElsewhere(_ new: [ItemChange]) {
        merge(new)
        changes.tell(.success(snapshot))
    }

    /// Notifies the readers that another process's changes can't be read.
    public func failElsewhere(_ error: ItemsServiceError) {
        changes.tell(.failure(error))
    }

    private func merge(_ new: [ItemChange]) {
        var ids = items.map(\.id)
        var stored = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
        for change in new {
            if stored[change.id] == nil { ids.append(change.id) }
            stored[change.id] = change.applied(to: stored[change.id])
        }
        items = ids.compactMap { stored.removeValue(forKey: $0) }
        changes.note()
    }
}
