/// Stores one value, and merges changes into it.
///
/// Several services, in one process or in many, may use the same stored value.
///
/// - Ordering: The saves of one service run one at a time. Snapshots may arrive in a different order from the one in
///   which they were taken. ``Snapshot/revision`` identifies the newer one.
/// - Cancellation: A call that is cancelled while it waits for its turn throws ``StorageError/Reason/cancelled`` and
///   changes nothing. A write that has started isn't interrupted.
public protocol StorageService<Value>: Sendable {
    /// What is stored.
    associatedtype Value: StoredValue

    /// Reads the value. If nothing has been saved yet, it is ``StoredValue/init()``, which is not an error.
    ///
    /// - Throws: If the value can't be read. In that case nothing is changed.
    /// - Complexity: O(*n*) in the size of the value.
    func load() async throws(StorageError) -> Snapshot<Value>

    /// Merges changes into the stored value, in one step: other readers see all of them or none.
    ///
    /// - Returns: The stored value after the save, including changes made elsewhere.
    /// - Throws: If the changes can't be saved. The stored value is then unchanged, with one exception: if the final
    ///   step of making the write durable fails, the changes may have been stored. Saving them again is harmless.
    /// - Complexity: O(*n*) in the size of the value.
    func save(_ changes: Value.Changes) async throws(StorageError) -> Snapshot<Value>

    /// The changes made elsewhere since a call of this service returned last.
    ///
    /// The sequence doesn't include this service's own saves, nor anything that one of its calls returns in the
    /// meantime. A slow reader may receive only the newest snapshot. A failure to read is reported once and doesn't end
    /// the sequence: once the problem is fixed elsewhere, the next snapshot follows, even if it is the same as before.
    ///
    /// Sequences are independent of each other. A change that one sequence reported, and that no call has returned, is
    /// reported again by a later sequence. A reader that is cancelled before it could act on a change therefore loses
    /// nothing for its successor. If every call so far has failed, the first value that can be read is reported as
    /// well.
    ///
    /// - Returns: A sequence for a single reader. It ends when the reading task is cancelled or when the sequence is
    ///   released.
    func changesElsewhere() async -> AsyncStream<Result<Snapshot<Value>, StorageError>>

    /// Keeps a value that can't be read under another name, so that a new one begins with the next save. A value that
    /// can be read stays where it is.
    ///
    /// - Returns: Where the unreadable value is now, or nil if there was none.
    /// - Throws: If it can't be moved. In that case nothing is changed.
    func setAside() async throws(StorageError) -> String?
}

/// A value that a service can store.
///
/// A change expresses an intention, not a result. Changes of several writers can therefore be merged, and repeating one
/// is harmless.
public protocol StoredValue: Sendable, Equatable {
    /// What can be done to the value in one step.
    associatedtype Changes: Sendable, Equatable

    /// The value before anything has been saved.
    init()

    /// Merges changes into the value.
    mutating func apply(_ changes: Changes)
}

/// A stored value, as a service saw it at one point in time.
public struct Snapshot<Value: StoredValue>: Sendable, Equatable {
    /// The value.
    public let value: Value

    /// The relative age of the snapshot within one service. A later snapshot has a greater revision, or the same one if
    /// nothing has changed. Revisions of different services can't be compared.
    public let revision: Int

    /// Creates a snapshot.
    public init(_ value: Value, revision: Int) {
        self.value = value
        self.revision = revision
    }
}

extension Snapshot: Hashable where Value: Hashable {}

extension Snapshot: CustomStringConvertible {
    /// The revision. The value itself could swamp a log.
    public var description: String { "revision \(revision)" }
}
