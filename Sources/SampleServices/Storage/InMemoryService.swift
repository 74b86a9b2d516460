/// A value that is kept in memory, for tests and previews.
///
/// - Reentrancy: While a load or save waits in its hook, others proceed.
/// - Lifetime: Sequences of changes end when the service is released.
public actor InMemoryService<Value: StoredValue>: StorageService {
    /// Runs before a load. It may delay the load, or make it fail.
    public typealias LoadHook = @Sendable () async throws(StorageError) -> Void

    /// Runs before a save, with its changes. It may delay the save, or make it fail.
    public typealias SaveHook = @Sendable (Value.Changes) async throws(StorageError) -> Void

    /// The stored value.
    public private(set) var value: Value

    /// The changes of each successful save, oldest first.
    public private(set) var saves: [Value.Changes] = []

    /// Whether an unreadable value has been set aside.
    public private(set) var isSetAside = false

    private let beforeLoad: LoadHook
    private let beforeSave: SaveHook
    private var revision = 1
    /// The revision that a call returned last, 0 if all of them have failed, or nil before the first one.
    private var given: Int?
    private var readers: [AsyncStream<Result<Snapshot<Value>, StorageError>>.Continuation] = []

    /// Creates a service.
    public init(
        _ value: Value = Value(),
        beforeLoad: @escaping LoadHook = { () throws(StorageError) in },
        beforeSave: @escaping SaveHook = { (_) throws(StorageError) in }
    ) {
        self.value = value
        (self.beforeLoad, self.beforeSave) = (beforeLoad, beforeSave)
    }

    deinit {
        for reader in readers { reader.finish() }
    }

    /// The stored value, with its revision.
    public var snapshot: Snapshot<Value> { Snapshot(value, revision: revision) }

    /// Returns the stored value.
    public func load() async throws(StorageError) -> Snapshot<Value> {
        do throws(StorageError) {
            try await beforeLoad()
        } catch {
            given = given ?? 0
            throw error
        }
        given = revision
        return snapshot
    }

    /// Merges changes into the stored value.
    public func save(_ changes: Value.Changes) async throws(StorageError) -> Snapshot<Value> {
        try await beforeSave(changes)
        saves.append(changes)
        value.apply(changes)
        revision += 1
        given = revision
        return snapshot
    }

    /// The changes made by ``changeElsewhere(_:)`` since a call returned last, and failures from now on.
    public func changesElsewhere() -> AsyncStream<Result<Snapshot<Value>, StorageError>> {
        // Unbounded, so that a value never replaces a failure that hasn't been read, or the reverse.
        let (stream, reader) = AsyncStream.makeStream(of: Result<Snapshot<Value>, StorageError>.self)
        readers.append(reader)
        if let given, given != revision { reader.yield(.success(snapshot)) }
        return stream
    }

    /// Removes the stored value if it can't be read.
    public func setAside() async throws(StorageError) -> String? {
        do {
            try await beforeLoad()
            return nil
        } catch {
            value = Value()
            isSetAside = true
            return "unreadable"
        }
    }

    /// Changes the stored value as another process would, and notifies the readers.
    public func changeElsewhere(_ changes: Value.Changes) {
        value.apply(changes)
        revision += 1
        tell(.success(snapshot))
    }

    /// Notifies the readers that another process's changes can't be read.
    public func failElsewhere(_ error: StorageError) {
        tell(.failure(error))
    }

    private func tell(_ change: Result<Snapshot<Value>, StorageError>) {
        readers.removeAll { reader in
            if case .terminated = reader.yield(change) { true } else { false }
        }
    }
}
