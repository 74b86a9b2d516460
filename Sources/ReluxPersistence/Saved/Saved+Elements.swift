import Foundation
import Relux

/// Elements that are saved under keys of their own.
extension Saved {
    /// A record that a save writes or removes.
    struct Write: Sendable {
        /// The part of the key that stands for the id; nil for the rest of the payload.
        let id: String?
        let key: String
        /// The generation of the record that is replaced, as far as is known.
        let old: UInt64?
        /// Nil removes the record.
        let record: SavedRecord?
        let rank: Double
    }

    /// The keys of all elements, also of those that were saved by another version of the program.
    func keysOfElements() async throws -> [String] {
        let start = SavedKey.elements(of: key)
        // What was set aside has a dot.
        return try await storage.keys().filter { $0.hasPrefix(start) && !$0.dropFirst(start.count).contains(".") }
            .sorted()
    }

    // MARK: Loading

    func foundWithElements(
        _ elements: SavedElements<Payload>
    ) async throws(Relux.LoadFailure) -> SavedMemory<Payload>.Known {
        do {
            var hasFailed = false
            while true {
                let before = try await completeIntention()
                let found: Result<SavedMemory<Payload>.Known, any Error>
                do { found = .success(try await read(elements)) } catch { found = .failure(error) }
                // A save of several records may have begun and ended in the meantime.
                guard try await record(at: SavedKey.changes(of: key))?.generation == before else { continue }
                // So may an erasure, which leaves no trace: a failure counts if it happens again.
                if case .success(let known) = found { return known }
                if hasFailed { return try found.get() }
                hasFailed = true
            }
        } catch let failure as Relux.LoadFailure {
            throw failure
        } catch {
            if case StorageError.damaged = error { throw .damaged(error) }
            throw .unavailable(error)
        }
    }

    private func read(_ elements: SavedElements<Payload>) async throws -> SavedMemory<Payload>.Known {
        guard let rest = try await record(at: key) else {
            guard try await keysOfElements().isEmpty else { throw Relux.LoadFailure.damaged(SavedDamage.missingRest) }
            return SavedMemory.Known()
        }
        var payload = try payload(of: rest)
        var known = SavedMemory.Known(generation: rest.generation, payload: payload)
        known.isWhole = !rest.isWithoutElements
        if known.isWhole { return known }
        var records: [(data: Data, format: SavedFormat)] = []
        let start = SavedKey.elements(of: key)
        for key in try await keysOfElements() {
            guard let record = try await record(at: key) else { continue }
            guard record.version <= version else { throw Relux.LoadFailure.newer(version: record.version) }
            records.append((try migrated(record), record.format))
            known.elements[String(key.dropFirst(start.count))] = SavedElement(generation: record.generation, rank: 0)
        }
        do {
            let ranks = try elements.insert(&payload, records)
            for (id, rank) in ranks { known.elements[SavedKey.part(of: id)]?.rank = rank }
        } catch {
            throw Relux.LoadFailure.damaged(error)
        }
        known.payload = payload
        return known
    }

    private func migrated(_ record: SavedRecord) throws(Relux.LoadFailure) -> Data {
        do {
            return try (record.version..<version).reduce(record.body) { body, step in
                try elementMigrations.first { $0.version == step }?.migrate(body, record.format) ?? body
            }
        } catch {
            throw .damaged(error)
        }
    }

    // MARK: Saving

    func save(_ ours: Payload, _ elements: SavedElements<Payload>) async throws {
        let known = memory.known
        var replaced = known ?? SavedMemory.Known()
        if known == nil {
            // A value that was never loaded replaces everything.
            try await makeRoom()
            _ = try await completeIntention()
            (replaced.generation, replaced.isWhole) = (try await record(at: key)?.generation, true)
        }
        let leftovers = try await leftovers(of: replaced)
        memory.beginWriting(0)
        var new: SavedMemory<Payload>.Known?
        // Even if it fails: once the intention is written down, it will be completed sooner or later.
        defer { memory.endWriting(new) }
        let writes = try writes(for: ours, elements, knowing: replaced, leftovers)
        let intention = try await note(writes)
        var done = replaced
        (done.payload, done.isWhole) = (ours, false)
        for write in writes {
            if write.record == nil, let id = write.id {
                done.elements[id] = nil
            } else {
                done.note(write.record?.generation, of: write.id, rank: write.rank)
            }
        }
        if intention != nil { new = done }
        for write in writes {
            let found = Box<UInt64?>(nil)
            try await storage.update(write.key) { stored in
                let (data, generation) = try resolved(stored, write, ours, elements, knowing: known)
                found.value = generation
                return data
            }
            if write.record != nil { done.note(found.value, of: write.id, rank: write.rank) }
        }
        new = done
        if let intention { try await forget(intention) }
    }

    /// The records of elements that belong to nothing, with their generations: a `Saved` without `elements` has saved
    /// since.
    private func leftovers(of known: SavedMemory<Payload>.Known) async throws -> [String: UInt64?] {
        guard known.isWhole else { return [:] }
        _ = try await completeIntention()
        // Otherwise, they belong to what somebody else has saved.
        guard try await record(at: key)?.generation == known.generation else { return [:] }
        let start = SavedKey.elements(of: key)
        var found: [String: UInt64?] = [:]
        for key in try await keysOfElements() {
            do {
                found[String(key.dropFirst(start.count))] = .some(try await record(at: key)?.generation)
            } catch .unavailable(let error) {
                throw error
            } catch {
                try await storage.setAside(key)
            }
        }
        return found
    }

    /// - Parameter leftovers: Further records, which are removed or replaced.
    private func writes(
        for ours: Payload, _ elements: SavedElements<Payload>, knowing known: SavedMemory<Payload>.Known,
        _ leftovers: [String: UInt64?]
    ) throws -> [Write] {
        let stored = known.elements
        let ranks = Dictionary(
            stored.map { (SavedKey.text(ofPart: $0.key), $0.value.rank) }, uniquingKeysWith: { first, _ in first })
        var writes = try elements.changes(known.payload, ours, ranks).map { change in
            let id = SavedKey.part(of: change.id)
            let record = try change.rank.map { _ in
                SavedRecord(format: format, version: version, body: try change.encode(format))
            }
            return Write(
                id: id, key: SavedKey.elements(of: key) + id, old: stored[id]?.generation ?? leftovers[id] ?? nil,
                record: record, rank: change.rank ?? 0)
        }
        let written = Set(writes.map(\.id))
        for (id, generation) in leftovers.sorted(by: { $0.key < $1.key }) where !written.contains(id) {
            writes.append(
                Write(id: id, key: SavedKey.elements(of: key) + id, old: generation, record: nil, rank: 0))
        }
        let rest = elements.rest(ours)
        if known.generation == nil || known.isWhole || known.payload.map(elements.rest) != rest {
            let record = SavedRecord(
                format: format, version: version, body: try format.encode(rest), isWithoutElements: true)
            writes.append(Write(id: nil, key: key, old: known.generation, record: record, rank: 0))
        }
        return writes
    }

    /// The stored data of one record, and its generation; nil if the store doesn't have the record.
    private func resolved(
        _ stored: Data?, _ write: Write, _ ours: Payload, _ elements: SavedElements<Payload>,
        knowing known: SavedMemory<Payload>.Known?
    ) throws -> (data: Data?, generation: UInt64?) {
        let written = (data: write.record?.data, generation: write.record?.generation)
        let theirs = try stored.map { try SavedRecord($0) }
        guard known != nil, theirs?.generation != write.old, theirs?.generation != write.record?.generation else {
            return written
        }
        if let theirs, theirs.version > version { throw Relux.LoadFailure.newer(version: theirs.version) }
        switch conflict.kind {
        case .keepOurs: return written
        case .keepTheirs: return (stored, nil)
        case .merge(let merge):
            guard let id = write.id else {
                guard let theirs else { return written }
                let whole = elements.combining(try payload(of: theirs), ours)
                let merged = elements.rest(try merge(known?.payload, ours, whole))
                if merged == elements.rest(ours) { return written }
                let both = SavedRecord(
                    format: format, version: version, body: try format.encode(merged), isWithoutElements: true)
                return (both.data, nil)
            }
            let text = SavedKey.text(ofPart: id)
            let whole = try elements.replacing(text, ours, theirs.map { try migrated($0) }, theirs?.format ?? format)
            let merged = try elements.encoded(text, merge(known?.payload, ours, whole), write.rank, format)
            if merged == write.record?.body { return written }
            guard let merged else { return (nil, nil) }
            let both = SavedRecord(format: format, version: version, body: merged)
            return (both.data, nil)
        }
    }
}

extension SavedMemory.Known {
    /// Notes the stored generation of a record.
    ///
    /// - Parameter id: Nil for the rest of the payload.
    fileprivate mutating func note(_ generation: UInt64?, of id: String?, rank: Double) {
        guard let id else { return self.generation = generation }
        elements[id] = SavedElement(generation: generation, rank: rank)
    }
}
