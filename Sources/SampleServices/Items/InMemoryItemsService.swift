import Synchronization

/// Items that last as long as the process: for tests and previews.
///
/// Two closures, run before each load and save, let a test make them fail, or hold them until it lets them go on.
///
/// - Lifetime: Sequences of changes end when the service is released.
public final class InMemoryItemsService: ItemsService {
    /// Runs before a load: throws what the load is to throw, or waits for as long as the load is to last.
    public typealias LoadHook = @Sendable () async throws(ItemsServiceError) -> Void

    /// Runs before a save, with its changes: throws what the save is to throw, or waits for as long as it is to last.
    public typealias SaveHook = @Sendable ([ItemChange]) async throws(ItemsServiceError) -> Void

    private typealias Continuation = AsyncStream<Result<ItemsSnapshot, ItemsServiceError>>.Continuation

    private struct Memory {
        var items: [Item]
        var revision = 1
        /// What a load or a save has returned last; nil for nothing yet.
        var toldRevision: Int?
        var saves: [[ItemChange]] = []
        var readers: [Int: Continuation] = [:]
        var nextReader = 0

        var snapshot: ItemsSnapshot { ItemsSnapshot(items: items, revision: revision) }
    }

    private let beforeLoad: LoadHook
    private let beforeSave: SaveHook
    private let memory: Mutex<Memory>

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
        self.beforeLoad = beforeLoad
        self.beforeSave = beforeSave
        memory = Mutex(Memory(items: items))
    }

    deinit {
        for reader in memory.withLock({ $0.readers }).values { reader.finish() }
    }

    /// What is stored now.
    public var snapshot: ItemsSnapshot {
        memory.withLock { $0.snapshot }
    }

    /// The changes of each save that has succeeded, oldest first.
    public var saves: [[ItemChange]] {
        memory.withLock { $0.saves }
    }

    /// Returns what is stored.
    ///
    /// - Returns: The items as they are stored now.
    /// - Throws: What the hook throws.
    public func load() async throws(ItemsServiceError) -> ItemsSnapshot {
        try await beforeLoad()
        return memory.withLock {
            $0.toldRevision = $0.revision
            return $0.snapshot
        }
    }

    /// Merges changes into what is stored.
    ///
    /// - Parameter changes: What is to become of which items.
    /// - Returns: What is stored now.
    /// - Throws: What the hook throws; nothing is changed then.
    public func save(_ changes: [ItemChange]) async throws(ItemsServiceError) -> ItemsSnapshot {
        try await beforeSave(changes)
        return memory.withLock {
            $0.saves.append(changes)
            let snapshot = Self.merge(changes, into: &$0)
            $0.toldRevision = $0.revision
            return snapshot
        }
    }

    /// The changes made by ``changeElsewhere(_:)`` since the last load or save, and failures from now on.
    ///
    /// - Returns: A sequence for one reader.
    public func changesElsewhere() -> AsyncStream<Result<ItemsSnapshot, ItemsServiceError>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Result<ItemsSnapshot, ItemsServiceError>.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let reader = memory.withLock {
            $0.nextReader += 1
            $0.readers[$0.nextReader] = continuation
            if let told = $0.toldRevision, told != $0.revision { continuation.yield(.success($0.snapshot)) }
            return $0.nextReader
        }
        continuation.onTermination = { [weak self] _ in
            self?.memory.withLock { _ = $0.readers.removeValue(forKey: reader) }
        }
        return stream
    }

    /// Changes what is stored, as another process would, and tells the readers.
    ///
    /// - Parameter changes: What is to become of which items.
    public func changeElsewhere(_ changes: [ItemChange]) {
        let (snapshot, readers) = memory.withLock { (Self.merge(changes, into: &$0), Array($0.readers.values)) }
        for reader in readers { reader.yield(.success(snapshot)) }
    }

    /// Tells the readers that what others have stored can't be read.
    ///
    /// - Parameter error: What they get.
    public func failElsewhere(_ error: ItemsServiceError) {
        for reader in memory.withLock({ Array($0.readers.values) }) { reader.yield(.failure(error)) }
    }

    private static func merge(_ changes: [ItemChange], into memory: inout Memory) -> ItemsSnapshot {
        for change in changes {
            let index = memory.items.firstIndex { $0.id == change.id }
            let merged = change.applied(to: index.map { memory.items[$0] })
            switch (index, merged) {
            case (let index?, let item?): memory.items[index] = item
            case (let index?, nil): memory.items.remove(at: index)
            case (nil, let item?): memory.items.append(item)
            case (nil, nil): break
            }
        }
        memory.revision += 1
        return memory.snapshot
    }
}
