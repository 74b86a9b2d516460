/// The revisions of what an in-memory service stores, and the readers that follow the changes made elsewhere.
///
/// - Isolation: That of the service.
/// - Lifetime: Sequences end when the service is released.
final class InMemoryChanges<Snapshot: Sendable> {
    typealias Stream = AsyncStream<Result<Snapshot, StorageError>>

    /// The present revision.
    private(set) var revision = 1

    /// The revision that a call returned last, or nil if there was none yet.
    private var toldRevision: Int?
    private var readers: [Stream.Continuation] = []

    deinit {
        for reader in readers { reader.finish() }
    }

    /// Counts a change of what is stored.
    func note() {
        revision += 1
    }

    /// Remembers that a call returns the present revision.
    func noteTold() {
        toldRevision = revision
    }

    /// Remembers that a call has failed. The first value is then reported as a change.
    func noteFailure() {
        toldRevision = toldRevision ?? 0
    }

    /// Adds a reader. It receives the present value first if that is news: if an earlier call returned another one.
    func stream(
        of snapshot: Snapshot,
        isNews: Bool = false,
        _ policy: Stream.Continuation.BufferingPolicy = .bufferingNewest(1)
    ) -> Stream {
        let (stream, reader) = Stream.makeStream(bufferingPolicy: policy)
        readers.append(reader)
        if isNews || toldRevision.map({ $0 != revision }) == true { reader.yield(.success(snapshot)) }
        return stream
    }

    /// Notifies the readers.
    func tell(_ change: Result<Snapshot, StorageError>) {
        readers.removeAll { reader in
            if case .terminated = reader.yield(change) { true } else { false }
        }
    }

    /// Notifies the readers, and ends their sequences.
    func fail(_ error: StorageError) {
        for reader in readers {
            reader.yield(.failure(error))
            reader.finish()
        }
        readers = []
    }
}
