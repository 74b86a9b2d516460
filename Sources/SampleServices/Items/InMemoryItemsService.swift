/// Items that are kept in memory, for tests and previews.
///
/// Two closures that run before each load and save let a test make it fail or delay it.
///
/// - Reentrancy: While a load or save waits in its closure, others proceed.
/// - Lifetime: Sequences of changes end when the service is released.
public actor InMemoryItemsService: ItemsService {
    /// Runs before a load. The load throws any error that the hook throws, and takes as long as the hook waits.
    public typealias LoadHook = @Sendable () async throws(ItemsServiceError) -> Void

    /// Runs before a save, with its changes. The save throws any error that the hook throws, and takes as long as the
    /// hook waits.
    public typealias SaveHook = @Sendable ([ItemChange]) async throws(ItemsServiceError) -> Void

    /// The changes of each successful save, oldest first.
    public private(set) var saves: [[ItemChange]] = []

    private let beforeLoad: LoadHook
    private let beforeSave: SaveHook
    private var items: [Item]
    private var revision = 1
    /// The revision that a load or save returned last, or nil if there was none yet.
    private var toldRevision: Int?
    private var readers: [AsyncStream<Result<ItemsSnapshot, ItemsServiceError>>.Continuation] = []

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - items: The initial items. Each id must occur once.
    ///   - beforeLoad: Runs before each load. The default does nothing.
    ///   - beforeSave: Runs before each save. The default does nothing.
    public init(
        items: [Item] = [],
        beforeLoad: @escaping LoadHook = { () throws(ItemsServiceError) in },
        beforeSave: @escaping SaveHook = { (_) throws(ItemsServiceError) in }
    ) {
        self.items = items
        self.beforeLoad = beforeLoad
        self.beforeSave = beforeSave
    }

    deinit {
        for reader in readers { reader.finish() }
    }

    /// The stored items.
    public var snapshot: ItemsSnapshot { ItemsSnapshot(items: items, revision: revision) }

    /// Returns the stored items.
    ///
    /// - Throws: Any error that the hook throws.
    public func load() async throws(ItemsServiceError) -> ItemsSnapshot {
        try await beforeLoad()
        toldRevision = revision
        return snapshot
    }

    /// Merges changes into the stored items.
    ///
    /// - Returns: The stored items after the save.
    /// - Throws: Any error that the hook throws. In that case nothing is changed.
    public func save(_ changes: [ItemChange]) async throws(ItemsServiceError) -> ItemsSnapshot {
        try await beforeSave(changes)
        saves.append(changes)
        merge(changes)
        toldRevision = revision
        return snapshot
    }

    /// The changes made by ``changeElsewhere(_:)`` since the last load or save, and failures from now on.
    ///
    /// - Returns: A sequence for a single reader.
    public func changesElsewhere() -> AsyncStream<Result<ItemsSnapshot, ItemsServiceError>> {
        let (stream, reader) = AsyncStream.makeStream(
            of: Result<ItemsSnapshot, ItemsServiceError>.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        readers.append(reader)
        if let toldRevision, toldRevision != revision { reader.yield(.success(snapshot)) }
        return stream
    }

    /// Changes the stored items as another process would, and notifies the readers.
    public func changeElsewhere(_ changes: [ItemChange]) {
        merge(changes)
        tell(.success(snapshot))
    }

    /// Notifies the readers that another process's changes can't be read.
    ///
    /// - Parameter error: The error that the readers receive.
    public func failElsewhere(_ error: ItemsServiceError) {
        tell(.failure(error))
    }

    private func tell(_ change: Result<ItemsSnapshot, ItemsServiceError>) {
        readers.removeAll { reader in
            if case .terminated = reader.yield(change) { true } else { false }
        }
    }

    private func merge(_ changes: [ItemChange]) {
        var indexes = Dictionary(zip(items.map(\.id), items.indices)) { first, _ in first }
        var removed: Set<Int> = []
        for change in changes {
            let index = indexes[change.id]
            let merged = change.applied(to: index.map { items[$0] })
            switch (index, merged) {
            case (let index?, let item?): items[index] = item
            case (let index?, nil):
                removed.insert(index)
                indexes[change.id] = nil
            case (nil, let item?):
                indexes[item.id] = items.count
                items.append(item)
            case (nil, nil): break
            }
        }
        if !removed.isEmpty { items = items.indices.filter { !removed.contains($0) }.map { items[$0] } }
        revision += 1
    }
}
