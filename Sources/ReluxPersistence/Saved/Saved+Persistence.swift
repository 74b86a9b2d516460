import Foundation
public import Relux

// What the store calls.
extension Saved {
    /// Loads the payload, migrates it if an earlier version has saved it, and puts it into the initial value.
    public func load(into initial: S) async throws(Relux.LoadFailure) -> S? {
        let known = try await found()
        memory.note(known)
        guard let payload = known.payload else { return nil }
        var state = initial
        restoring(&state, payload)
        return state
    }

    /// Saves the payload, in one operation on the storage.
    public func save(_ state: S) async throws {
        let ours = saving(state)
        if let elements { return try await save(ours, elements) }
        let record = SavedRecord(format: format, version: version, body: try format.encode(ours))
        let known = memory.known
        if known == nil { try await makeRoom() }
        memory.beginWriting(record.generation)
        let result = Box<SavedMemory<Payload>.Known?>(nil)
        do {
            try await storage.update(key) { stored in
                let (data, known) = try resolved(stored, ours, as: record, knowing: known)
                result.value = known
                return data
            }
            memory.endWriting(result.value)
        } catch {
            memory.endWriting(nil)
            throw error
        }
    }

    /// Removes what was saved.
    public func erase() async throws {
        if elements != nil { try await eraseWithElements() } else { try await storage.remove(key) }
        memory.note(SavedMemory.Known())
    }

    /// Moves data that can't be read to another name.
    public func setAside() async throws {
        try await storage.setAside(key)
        for key in try await keysOfElements() { try await storage.setAside(key) }
        memory.note(SavedMemory.Known())
    }

    /// The changes that others have saved, if the state follows them.
    public func changes(since state: S) -> AsyncStream<S.Action> {
        guard let follows else { return AsyncStream { $0.finish() } }
        let pokes = memory.pokes(with: storage, key)
        return AsyncStream {
            for await _ in pokes {
                let mark = memory.mark
                // Data that can't be read stay as they are. The next save reports the error.
                guard let known = try? await found(), let payload = known.payload,
                    memory.offer(known, readAt: mark)
                else { continue }
                return follows(payload)
            }
            return nil
        }
    }

    /// Whether this store has saved nothing since it learned what others have saved. If so, its next save builds on
    /// what they have saved.
    public func willTakeIn() -> Bool { memory.acceptOffer() }

    // MARK: Reading

    func found() async throws(Relux.LoadFailure) -> SavedMemory<Payload>.Known {
        if let elements { return try await foundWithElements(elements) }
        guard let record = try await record(at: key) else { return SavedMemory.Known() }
        guard !record.isWithoutElements else { throw .damaged(SavedDamage.elementsElsewhere) }
        return SavedMemory.Known(generation: record.generation, payload: try payload(of: record))
    }

    /// The record of a key; nil if there is none.
    func record(at key: String) async throws(Relux.LoadFailure) -> SavedRecord? {
        let data: Data?
        do {
            data = try await storage.read(key)
        } catch {
            if case StorageError.damaged = error { throw .damaged(error) }
            throw .unavailable(error)
        }
        guard let data else { return nil }
        do { return try SavedRecord(data) } catch { throw .damaged(error) }
    }

    func payload(of record: SavedRecord) throws(Relux.LoadFailure) -> Payload {
        guard record.version <= version else { throw .newer(version: record.version) }
        do {
            var body = record.body
            for step in record.version..<version {
                guard let migration = migrations.first(where: { $0.version == step }) else {
                    throw SavedDamage.missingMigration(from: step)
                }
                body = try migration.migrate(body, record.format)
            }
            return try record.format.decode(Payload.self, from: body)
        } catch {
            throw .damaged(error)
        }
    }

    // MARK: Writing

    /// The data that a save writes in place of the stored ones, and what is known after the save.
    func resolved(
        _ stored: Data?, _ ours: Payload, as record: SavedRecord, knowing known: SavedMemory<Payload>.Known?
    ) throws -> (data: Data?, known: SavedMemory<Payload>.Known) {
        let saved = SavedMemory.Known(generation: record.generation, payload: ours)
        guard let known, let stored else { return (record.data, saved) }
        let theirs = try SavedRecord(stored)
        if theirs.generation == known.generation { return (record.data, saved) }
        guard theirs.version <= version else { throw Relux.LoadFailure.newer(version: theirs.version) }
        guard !theirs.isWithoutElements else { throw Relux.LoadFailure.damaged(SavedDamage.elementsElsewhere) }
        switch conflict.kind {
        case .keepOurs:
            return (record.data, saved)
        case .keepTheirs:
            return (stored, known)
        case .merge(let merge):
            let merged = try merge(known.payload, ours, payload(of: theirs))
            if merged == ours { return (record.data, saved) }
            let body = try format.encode(merged)
            let both = SavedRecord(format: format, version: version, body: body, generation: record.generation)
            // The store has only its own part, from which the next merge starts.
            return (both.data, SavedMemory.Known(generation: nil, payload: ours))
        }
    }

    /// Sets data aside that can't be read, before a value that was never loaded replaces them.
    func makeRoom() async throws {
        do {
            _ = try await found()
        } catch .unavailable(let error) {
            throw error
        } catch {
            try await setAside()
        }
    }
}
