import Foundation
public import Relux

// What the store calls.
extension Relux.Saved {
    /// Loads the payload, migrates it if an earlier version has saved it, and puts it into the initial value.
    public func load(into initial: S) async throws(Relux.LoadFailure) -> S? {
        memory.noteInitial(saving(initial))
        let known = try await found()
        memory.note(known)
        guard let payload = known.stored else { return nil }
        var state = initial
        restoring(&state, payload)
        return state
    }

    /// Saves the payload, in one operation on the storage.
    public func save(_ state: S) async throws {
        let ours = saving(state)
        try await memory.whileSaving {
            let known = if let known = memory.known { known } else { try await makeRoom() }
            var changes: [SavedElements<Payload>.Change] = []
            if let elements, known.isShared, known.generation == nil || known.places != nil {
                changes = elements.changes(known.stored, ours, known.places).changes
            }
            while true {
                do {
                    return try await update(Set(changes.map { key(of: $0) })) {
                        try change(&$0, in: $1, to: ours, knowing: known)
                    }
                } catch Relux.StorageError.damaged(let lost, _)
                    where changes.contains(where: { $0.isNew && key(of: $0) == lost })
                {
                    // It was left behind when the others were set aside, because its file doesn't tell its key.
                    try await storage.setAside([lost])
                }
            }
        }
    }

    /// Removes what was saved, also by others.
    public func erase() async throws {
        try await memory.whileSaving {
            do {
                try await update(elements == nil ? [] : keysOfElements()) { data, _ -> Need<Void> in
                    // A damaged record has no count. What was listed is removed in any case.
                    let record = try? data[key].map { try SavedRecord($0) }
                    guard data.keys.count(where: { $0 != key }) >= record?.elementCount ?? 0 else {
                        return .elements(of: record?.generation)
                    }
                    data = [:]
                    return .done(())
                }
            } catch let error where error is Relux.SavedDamage || error.isDamage {
                try await storage.remove(keysOfElements().union([key]))
            }
            return SavedMemory.Known()
        }
    }

    /// Moves data that can't be read to another name.
    public func setAside() async throws {
        try await storage.setAside(keysOfElements().union([key]))
        memory.note(SavedMemory.Known())
    }

    // MARK: Following

    /// The changes that others have saved, if the state follows them. A read that fails is repeated with the next
    /// change.
    public func changes(since state: S) -> AsyncStream<S.Action> { changes(nil) }

    /// The same, with the errors of reads reported.
    public func changes(
        since state: S, onFailure: @escaping @Sendable (_ error: any Error, _ attempt: Int) async -> Void
    ) -> AsyncStream<S.Action> {
        changes(onFailure)
    }

    private func changes(
        _ onFailure: (@Sendable (_ error: any Error, _ attempt: Int) async -> Void)?
    ) -> AsyncStream<S.Action> {
        guard let follows else { return AsyncStream { $0.finish() } }
        let pokes = memory.pokes(with: storage, key)
        return AsyncStream {
            for await _ in pokes {
                if let known = await news(onFailure) { return follows(known.stored) }
            }
            return nil
        }
    }

    /// Whether this store has saved nothing since it learned what others have saved. If so, its next save builds on
    /// what they have saved.
    public func willTakeIn() -> Bool { memory.isOfferRight }

    /// Whether the payload is the one that others have saved; if they have erased it, the initial one.
    public func hasTakenIn(_ state: S) -> Bool { memory.noteTakenIn(saving(state)) }

    /// Continues with what another one knows of the same place.
    public func continues(_ other: any Relux.StatePersistence) {
        guard let other = other as? any SavedKnowledge, other.place == place else { return }
        if let same = other as? Self {
            memory.copy(same.memory)
        } else if let generation = other.generation {
            memory.note(SavedMemory.Known(generation: generation))
        }
    }

    /// What is stored and the store doesn't have; nil if nothing.
    private func news(
        _ onFailure: (@Sendable (_ error: any Error, _ attempt: Int) async -> Void)?
    ) async -> SavedMemory<Payload>.Known? {
        var attempt = 0
        while let look = memory.look() {
            do {
                var found = memory.known
                if look.isReported, try await record(at: key)?.generation != found?.generation {
                    found = try await self.found()
                    found?.isShared = false
                }
                guard let found, !found.isShared, memory.offer(found, at: look.mark) else { return nil }
                return found
            } catch {
                attempt += 1
                memory.noteReport()
                guard case .unavailable(let reason) = error else {
                    // What is damaged stays so until somebody writes.
                    await onFailure?(error, attempt)
                    return nil
                }
                await onFailure?(reason, attempt)
                if onFailure == nil || Task.isCancelled { return nil }
            }
        }
        return nil
    }

    // MARK: Reading

    func found() async throws(Relux.LoadFailure) -> SavedMemory<Payload>.Known {
        do {
            guard elements != nil else {
                let data = try await storage.read(key).map { [key: $0] }
                return try known(from: data ?? [:]) ?? SavedMemory.Known()
            }
            return try await update(keysOfElements()) { data, _ -> Need<SavedMemory<Payload>.Known> in
                if let known = try known(from: data) { return .done(known) }
                return .elements(of: try data[key].map { try SavedRecord($0) }?.generation)
            }
        } catch {
            throw Self.failure(error)
        }
    }

    /// The record of a key; nil if there is none.
    private func record(at key: String) async throws(Relux.LoadFailure) -> SavedRecord? {
        do {
            return try await storage.read(key).map { try SavedRecord($0) }
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: any Error) -> Relux.LoadFailure {
        error as? Relux.LoadFailure
            ?? (error is Relux.SavedDamage || error.isDamage ? .damaged(error) : .unavailable(error))
    }

    /// What is stored, if the data are complete.
    ///
    /// - Returns: Nil if elements are missing.
    private func known(from data: [String: Data]) throws -> SavedMemory<Payload>.Known? {
        guard let record = try data[key].map({ try SavedRecord($0) }) else {
            guard data.isEmpty else { throw Relux.SavedDamage.missingRest }
            return SavedMemory.Known()
        }
        var payload = try decoded(record)
        var known = SavedMemory<Payload>.Known(generation: record.generation)
        if let count = record.elementCount {
            guard let elements else { throw Relux.SavedDamage.elementsElsewhere }
            guard data.count > count else { return nil }
            guard data.count == count + 1 else { throw Relux.SavedDamage.foreignElements }
            let start = SavedKey.elements(of: key).count
            let records = try data.filter { $0.key != key }.map { key, data in
                let record = try SavedRecord(data)
                return (String(key.dropFirst(start)), try migratedElement(record), record.format)
            }
            let places: any Sendable = try naming(record.version) { try elements.insert(&payload, records) }
            known.places = places
        }
        (known.stored, known.base) = (payload, payload)
        return known
    }

    private func decoded(_ record: SavedRecord) throws -> Payload {
        guard record.version <= version else { throw Relux.LoadFailure.newer(version: record.version) }
        var body = record.body
        for step in record.version..<version {
            guard let migration = migrations.first(where: { $0.version == step }) else {
                throw Relux.SavedDamage.missingMigration(from: step)
            }
            body = try migrated(body, by: migration, record.format)
        }
        return try naming(record.version) { try record.format.decode(Payload.self, from: body) }
    }

    private func migratedElement(_ record: SavedRecord) throws -> Data {
        guard record.version <= version else { throw Relux.LoadFailure.newer(version: record.version) }
        // Versions without a migration change nothing.
        return try elementMigrations.filter { $0.version >= record.version && $0.version < version }
            .sorted { $0.version < $1.version }
            .reduce(record.body) { try migrated($0, by: $1, record.format) }
    }

    private func migrated(_ body: Data, by migration: Relux.Migration, _ format: Relux.SavedFormat) throws -> Data {
        do { return try migration.migrate(body, format) } catch { throw Relux.LoadFailure.damaged(error) }
    }

    /// Says what to do about a value that can't be decoded.
    ///
    /// - Parameter found: The version of the program that has saved it.
    private func naming<Output>(_ found: Int, _ decode: () throws -> Output) throws -> Output {
        do { return try decode() } catch let error as DecodingError {
            throw Relux.SavedDamage.undecodable(version: found, error.advice(Payload.self, found: found, now: version))
        }
    }

    /// The keys of all elements, also of those that were saved by another version of the program.
    func keysOfElements() async throws -> Set<String> {
        let start = SavedKey.elements(of: key)
        // What was set aside has a dot.
        return Set(try await storage.keys().filter { $0.hasPrefix(start) && !$0.dropFirst(start.count).contains(".") })
    }

    // MARK: Writing

    /// What an operation on the record and on elements needs.
    private enum Need<Output: Sendable>: Sendable {
        case done(Output)
        /// Further keys.
        case keys(Set<String>)
        /// Elements that belong to the record with this generation.
        case elements(of: UInt64?)
    }

    /// What an operation on the record and on elements may change.
    private struct Reach: Sendable {
        var keys: Set<String>
        /// Whether all elements were looked for.
        var isListed = false
    }

    /// Executes an operation on the record and on elements, with more and more keys until it needs no others.
    ///
    /// - Parameter keys: Those of elements.
    private func update<Output: Sendable>(
        _ keys: Set<String>, _ body: @Sendable (_ data: inout [String: Data], Reach) throws -> Need<Output>
    ) async throws -> Output {
        var reach = Reach(keys: keys.union([key]))
        var listed: UInt64?
        while true {
            let need = Box<Need<Output>>(.keys([]))
            try await storage.update(reach.keys) { [reach] data in need.value = try body(&data, reach) }
            switch need.value {
            case .done(let output): return output
            case .keys(let others): reach.keys.formUnion(others)
            case .elements(let generation):
                // Nobody has saved since all elements were looked for.
                if reach.isListed, listed == generation { throw Relux.SavedDamage.missingElements }
                (listed, reach.isListed) = (generation, true)
                reach.keys.formUnion(try await keysOfElements())
            }
        }
    }

    /// Makes room for a value that was never loaded: sets data aside that can't be read.
    private func makeRoom() async throws -> SavedMemory<Payload>.Known {
        do {
            return try await found()
        } catch .unavailable(let error) {
            throw error
        } catch {
            try await setAside()
            return SavedMemory.Known()
        }
    }

    /// Replaces the stored data by what a save makes of them.
    ///
    /// - Returns: What is known then.
    private func change(
        _ data: inout [String: Data], in reach: Reach, to ours: Payload, knowing known: SavedMemory<Payload>.Known
    ) throws -> Need<SavedMemory<Payload>.Known> {
        let record = try data[key].map { try SavedRecord($0) }
        var theirs = known
        if let attempted = memory.recognized(record?.generation) {
            theirs = attempted
        } else if record?.generation != known.generation || record != nil && known.stored == nil
            || elements == nil && known.places != nil
        {
            guard let found = try self.known(from: data) else { return .elements(of: record?.generation) }
            theirs = found
            (theirs.base, theirs.isShared) = (known.base, record?.generation == known.generation && known.isShared)
        }
        guard let merged = theirs.isShared ? ours : try merged(theirs.base, ours, theirs.stored) else {
            guard theirs.places == nil || reach.isListed else { return .elements(of: record?.generation) }
            data = [:]
            return .done(SavedMemory.Known(base: ours, isShared: false))
        }
        (theirs.base, theirs.isShared) = (ours, theirs.isShared || merged == ours)
        if record != nil, merged == theirs.stored { return .done(theirs) }
        return try write(merged, over: theirs, &data, in: reach)
    }

    private func write(
        _ payload: Payload, over theirs: SavedMemory<Payload>.Known, _ data: inout [String: Data], in reach: Reach
    ) throws -> Need<SavedMemory<Payload>.Known> {
        let generation = UInt64.random(in: .min ... .max)
        var new = theirs
        (new.generation, new.stored) = (generation, payload)
        if let elements {
            let isWhole = theirs.places == nil
            // What a `Saved` without elements has left belongs to nothing.
            guard !isWhole || theirs.generation == nil || reach.isListed else {
                return .elements(of: theirs.generation)
            }
            let (changes, places) = elements.changes(isWhole ? nil : theirs.stored, payload, theirs.places)
            let others = Set(changes.map { key(of: $0) }).subtracting(reach.keys)
            guard others.isEmpty else { return .keys(others) }
            if isWhole { data = [:] }
            for change in changes {
                guard !change.isNew || data[key(of: change)] == nil else { throw Relux.SavedDamage.sameID(change.part) }
                data[key(of: change)] = try change.encode.map { encode in
                    SavedRecord(format: format, version: version, body: try encode(format), generation: generation).data
                }
            }
            new.places = places
        }
        let body = try format.encode(elements?.rest(payload) ?? payload)
        data[key] =
            SavedRecord(
                format: format, version: version, body: body, generation: generation,
                elementCount: elements?.count(payload)
            ).data
        memory.noteAttempt(new)
        return .done(new)
    }

    private func key(of change: SavedElements<Payload>.Change) -> String { SavedKey.elements(of: key) + change.part }

    /// What is to be saved after a conflict; nil if nothing.
    private func merged(_ base: Payload?, _ ours: Payload, _ theirs: Payload?) throws -> Payload? {
        let sides = theirs.flatMap { elements?.reconciled(base, ours, $0) }
        let (ours, theirs) = (sides?.ours ?? ours, sides?.theirs ?? theirs)
        if ours == theirs { return ours }
        switch conflict.kind {
        case .keepOurs: return ours
        case .keepTheirs: return theirs
        case .merge(let merge): return try merge(base, ours, theirs)
        }
    }
}

/// What a ``Saved`` of any type knows of its place.
protocol SavedKnowledge {
    var place: AnyHashable? { get }
    /// The generation of what is stored; nil if it isn't known.
    var generation: UInt64?? { get }
}

extension Relux.Saved: SavedKnowledge {
    var place: AnyHashable? { location.map { AnyHashable($0) } }
    var generation: UInt64?? { memory.known.map(\.generation) }
}

extension Error {
    /// Whether a storage has found damage.
    var isDamage: Bool { if case Relux.StorageError.damaged? = self as? Relux.StorageError { true } else { false } }
}
