/// Items that last as long as the process: for tests and previews.
///
/// Two closures, run before each load and save, let a test make them fail, or hold them until it lets them go on.
///
/// - Reentrancy: While a load or save waits in its closure, others go on.
/// - Lifetime: Sequences of changes end when the service is released.
public actor InMemoryItemsService: ItemsService {
    /// Runs before a load: throws what the load is to throw, or waits for as long as the load is to last.
    public typealias LoadHook = @Sendable () async throws(ItemsServiceError) -> Void

    /// Runs before a save, with its changes: throws what the save is to throw, or waits for as long as it is to last.
    public typealias SaveHook = @Sendable ([ItemChange]) async throws(ItemsServiceError) -> Void

    /// The changes of each save that has succeeded, oldest first.
    public private(set) var saves: [[ItemChange]] = []

    private let beforeLoad: LoadHook
    private let beforeSave: SaveHook
    private var items: [Item]
    private var revision = 1
    /// What a load or a save has returned last; nil for nothing yet.
    private var toldRevision: Int?
    private var readers: [AsyncStream<Result<ItemsSnapshot, ItemsServiceError>>.Continuation] = []

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - items: What is stored at the beginning, each id once.
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

    /// What is stored now.
    public var snapshot: ItemsSnapshot { ItemsSnapshot(items: items, revision: revision) }

    /// Returns what is stored.
    ///
    /// - Returns: The items as they are stored now.
    /// - Throws: What the hook throws.
    public func load() async throws(ItemsServiceError) -> ItemsSnapshot {
        try await beforeLoad()
        toldRevision = revision
        return snapshot
    }

    /// Merges changes into what is stored.
    ///
    /// - Parameter changes: What is to become of which items.
    /// - Returns: What is stored now.
    /// - Throws: What the hook throws; nothing is changed then.
    public func save(_ changes: [ItemChange]) async throws(ItemsServiceError) -> ItemsSnapshot {
        try await beforeSave(changes)
        saves.append(changes)
        merge(changes)
        toldRevision = revision
        return snapshot
    }

    /// The changes made by ``changeElsewhere(_:)`` since the last load or save, and failures from now on.
    ///
    /// - Returns: A sequence for one reader.
    public func changesElsewhere() -> AsyncStream<Result<ItemsSnapshot, ItemsServiceError>> {
        let (stream, reader) = AsyncStream.makeStream(
            of: Result<ItemsSnapshot, ItemsServiceError>.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        readers.append(reader)
        if let toldRevision, toldRevision != revision { reader.yield(.success(snapshot)) }
        return stream
    }

    /// Changes what is stored, as another process would, and tells the readers.
    ///
    /// - Parameter changes: What is to become of which items.
    public func changeElsewhere(_ changes: [ItemChange]) {
        merge(changes)
        tell(.success(snapshot))
    }

    /// Tells the readers that what others have stored can't be read.
    ///
    /// - Parameter error: What they get.
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
