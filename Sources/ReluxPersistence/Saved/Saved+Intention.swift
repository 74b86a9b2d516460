import Foundation
import Relux

/// What a save or an erasure of several records is about to do. It is written down first: if the program ends before
/// it is done, the next one completes it.
extension Saved {
    struct Intention: Codable {
        struct Step: Codable {
            let key: String
            /// The generation of the record that is replaced; nil if there is none.
            let old: UInt64?
            /// Nil removes the record.
            let new: Data?
        }

        let steps: [Step]
    }

    /// Completes the unfinished intentions of others, and then writes down what is to be done with several records.
    ///
    /// - Returns: Nil if there is nothing to write down.
    func note(_ writes: [Write]) async throws -> SavedRecord? {
        var before = try await completeIntention()
        guard writes.count > 1 else { return nil }
        let steps = writes.map { Intention.Step(key: $0.key, old: $0.old, new: $0.record?.data) }
        let record = try record(of: Intention(steps: steps))
        while true {
            let isNoted = Box(false)
            try await storage.update(SavedKey.changes(of: key)) { [before] stored in
                isNoted.value = try stored.map { try SavedRecord($0).generation } == before
                return isNoted.value ? record.data : stored
            }
            if isNoted.value { return record }
            before = try await completeIntention()
        }
    }

    private func record(of intention: Intention) throws -> SavedRecord {
        let format = SavedFormat.propertyList
        return SavedRecord(format: format, version: version, body: try format.encode(intention))
    }

    /// Replaces an intention that was carried out by an empty one, by which readers notice the save.
    func forget(_ record: SavedRecord) async throws {
        let nothing = try self.record(of: Intention(steps: []))
        try await storage.update(SavedKey.changes(of: key)) { $0 == record.data ? nothing.data : $0 }
    }

    /// Removes everything, whatever the records contain, all or nothing, and what somebody else saves meanwhile.
    func eraseWithElements() async throws {
        let changes = SavedKey.changes(of: key)
        try await removingDamage(at: changes) { _ = try await completeIntention() }
        // Again, if somebody has saved a record in between, of which the others are gone now.
        while true {
            var writes: [Write] = []
            for key in try await [key] + keysOfElements() {
                try await removingDamage(at: key) {
                    let old = try await record(at: key)?.generation
                    if old != nil { writes.append(Write(id: nil, key: key, old: old, record: nil, rank: 0)) }
                }
            }
            if writes.isEmpty { return }
            if try await note(writes) == nil {
                for write in writes { try await storage.remove(write.key) }
            }
            let last = try await completeIntention()
            try await storage.update(changes) { try $0.map { try SavedRecord($0).generation } == last ? nil : $0 }
        }
    }

    /// Reads, and removes what can't be read.
    private func removingDamage(at key: String, _ read: () async throws -> Void) async throws {
        do {
            try await read()
        } catch StorageError.damaged {
            try await storage.remove(key)
        } catch let error as Relux.LoadFailure {
            if case .unavailable(let error) = error { throw error }
            try await storage.remove(key)
        } catch is SavedDamage {
            try await storage.remove(key)
        }
    }

    /// Completes what was written down but not finished, in this process or another one.
    ///
    /// - Returns: The generation of the last intention, which has been carried out; nil if there never was one.
    func completeIntention() async throws -> UInt64? {
        while true {
            guard let record = try await record(at: SavedKey.changes(of: key)) else { return nil }
            guard record.version <= version else { throw Relux.LoadFailure.newer(version: record.version) }
            let intention: Intention
            do {
                intention = try record.format.decode(Intention.self, from: record.body)
            } catch {
                throw Relux.LoadFailure.damaged(error)
            }
            if intention.steps.isEmpty { return record.generation }
            for step in intention.steps {
                try await storage.update(step.key) { stored in
                    // Otherwise, this step is done already, or somebody has changed the record since.
                    try stored.map { try SavedRecord($0).generation } == step.old ? step.new : stored
                }
            }
            try await forget(record)
        }
    }
}
