import Foundation
public import Relux

// The functions that the store calls.
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
            // A value that was never loaded replaces everything.
            let known = if let known = memory.known { known } else { try await readable() }
            return try await update { data, reach in try change(&data, in: reach, to: ours, knowing: known) }
        }
    }

    /// Removes what was saved, also by others.
    public func erase() async throws {
        try await memory.whileSaving {
            while true {
                do {
                    try await update(ofAll: elements != nil) { data, _ in
                        // A damaged record has no count. What was found is removed in any case.
                        let record = try? record(in: data)
                        guard data.keys.count(where: { $0 != key }) >= record?.elementCount ?? 0 else {
                            throw Lack.elements(of: record?.generation)
                        }
                        data = [:]
                    }
                    return SavedMemory.Known()
                } catch {
                    guard case .damaged = Self.failure(error) else { throw error }
                    // Others may save meanwhile. Not all of their elements may be among these.
                    try await storage.remove(keysOfElements().union([key]))
                }
            }
        }
    }

    /// Moves data to another name, unless they can be read by now.
    public func setAside() async throws { memory.note(try await readable()) }

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

    private typealias FailureReport = @Sendable (_ error: any Error, _ attempt: Int) async -> Void

    private func changes(_ onFailure: FailureReport?) -> AsyncStream<S.Action> {
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
        // Without a location, the storage counts as the same.
        guard let other = other as? any SavedKnowledge, other.key == key,
            location.map({ AnyHashable($0) }) == other.location.map({ AnyHashable($0) })
        else { return }
        if let same = other as? Self {
            memory.copy(same.memory)
        } else if let generation = other.generation {
            memory.note(SavedMemory.Known(generation: generation))
        }
    }

    /// The stored value that the store doesn't have; nil if there is none.
    private func news(_ onFailure: FailureReport?) async -> SavedMemory<Payload>.Known? {
        var attempt = 0
        while let look = memory.look() {
            do {
                var found = memory.known
                if look.isReported, try await storedGeneration() != found?.generation {
                    found = try await self.found()
                    found?.isShared = false
                }
                guard let found, !found.isShared, memory.offer(found, at: look.mark) else { return nil }
                return found
            } catch {
                attempt += 1
                memory.noteReport()
                let failure = Self.failure(error)
                if case .unavailable(let reason) = failure, let onFailure {
                    await onFailure(reason, attempt)
                    if !Task.isCancelled { continue }
                } else {
                    // Damage stays until somebody writes.
                    await onFailure?(failure, attempt)
                }
                return nil
            }
        }
        return nil
    }

    // MARK: Reading

    func found() async throws(Relux.LoadFailure) -> SavedMemory<Payload>.Known {
        do {
            if elements != nil { return try await update(ofAll: true) { data, _ in try known(from: data) } }
            return try known(from: await storage.read(key).map { [key: $0] } ?? [:])
        } catch {
            throw Self.failure(error)
        }
    }

    /// The stored value, after one that can't be read has been set aside.
    private func readable() async throws -> SavedMemory<Payload>.Known {
        do { return try await found() } catch Relux.LoadFailure.unavailable(let error) { throw error } catch {
            do { return try await setAsideUnreadable() } catch {
                // It may have failed after the data were moved. A later load would find nothing to report.
                guard let known = try? await found() else { throw error }
                return known
            }
        }
    }

    /// Sets aside what is stored, unless it can be read by now.
    ///
    /// - Returns: What is stored then.
    private func setAsideUnreadable() async throws -> SavedMemory<Payload>.Known {
        var (keys, listed) = (try await keysOfElements().union([key]), UInt64??.none)
        while true {
            let result = Lock<Result<SavedMemory<Payload>.Known, any Error>>(.success(SavedMemory.Known()))
            try await setAside(keys) { [listed] data in
                let judged = Result { try known(from: elements == nil ? data.filter { $0.key == key } : data) }
                switch judged {
                case .failure(Lack.elements(let generation)) where listed != .some(generation): break
                case .failure: return false
                case .success: break
                }
                result.withLock { $0 = judged }
                return true
            }
            do { return try result.withLock({ $0 }).get() } catch Lack.elements(let generation) {
                // Usually, others have replaced what was damaged.
                if let known = try? await found() { return known }
                listed = .some(generation)
                keys.formUnion(try await keysOfElements())
            }
        }
    }

    /// Sets data aside.
    ///
    /// - Parameter isGood: Whether they stay, because others have replaced what was damaged. Other storages than those
    ///   of this library can't ask it.
    private func setAside(
        _ keys: Set<String>, unless isGood: @escaping StorageJudge
    ) async throws {
        guard let storage = storage as? any LockingStorage else { return try await storage.setAside(keys) }
        try await storage.setAside(keys, unless: isGood)
    }

    /// The generation of what is stored; nil if there is nothing. It tells whether others have saved, so that a store
    /// doesn't read its own saves.
    private func storedGeneration() async throws -> UInt64? {
        let data =
            if let storage = storage as? any LockingStorage {
                try await storage.beginning(of: key, count: SavedRecord.longestLine)
            } else {
                try await storage.read(key)
            }
        return try data.map { try SavedRecord(unchecked: $0).generation }
    }

    private func record(in data: [String: Data]) throws -> SavedRecord? { try data[key].map { try SavedRecord($0) } }

    private static func failure(_ error: any Error) -> Relux.LoadFailure {
        switch error {
        case let failure as Relux.LoadFailure: failure
        case is Relux.SavedDamage, Relux.StorageError.damaged: .damaged(error)
        default: .unavailable(error)
        }
    }

    /// The stored value.
    private func known(from data: [String: Data]) throws -> SavedMemory<Payload>.Known {
        guard let record = try record(in: data) else {
            guard data.isEmpty else { throw Relux.SavedDamage.missingRest }
            return SavedMemory.Known()
        }
        let decoding = SavedDecoding(version: version, migrations: migrations)
        var payload =
            try elements?.rest(from: record, decoding) ?? decoding.decode(Payload.self, from: record)
        var known = SavedMemory<Payload>.Known(generation: record.generation)
        if let count = record.elementCount {
            guard let elements else { throw Relux.SavedDamage.elementsElsewhere }
            guard data.count > count else { throw Lack.elements(of: record.generation) }
            guard data.count == count + 1 else { throw Relux.SavedDamage.foreignElements }
            let start = SavedKey.elements(of: key).count
            let records = try data.filter { $0.key != key }.map { key, data in
                (part: String(key.dropFirst(start)), record: try SavedRecord(data))
            }
            let decoding = SavedDecoding(version: version, migrations: elementMigrations, isOfElements: true)
            known.places = .some(try elements.insert(records, decoding, into: &payload))
        }
        if let elements, let own = memory.configuration { payload = elements.configured(payload, as: own) }
        (known.stored, known.base) = (payload, payload)
        return known
    }

    /// The keys of all elements, also of those that were saved by another version of the program.
    func keysOfElements() async throws -> Set<String> {
        let start = SavedKey.elements(of: key)
        let keys =
            if let storage = storage as? any LockingStorage {
                try await storage.keys(startingWith: start)
            } else {
                try await storage.keys().filter { $0.hasPrefix(start) }
            }
        return Set(keys.filter { !isAside($0) })
    }

    /// Whether the key of an element was set aside: it has a dot.
    private func isAside(_ element: String) -> Bool {
        element.dropFirst(SavedKey.elements(of: key).count).contains(".")
    }

    // MARK: Writing

    /// Thrown by an operation on the record and on elements that needs more of them.
    private enum Lack: Error {
        /// Those of elements, of which some have none yet.
        case keys(Set<String>, new: Set<String>)
        /// All elements, which belong to the record with this generation.
        case elements(of: UInt64?)
    }

    /// What an operation may change.
    private struct Reach {
        var keys: Set<String>
        /// Whether these are all elements that there are.
        var isWhole: Bool
        /// Whether elements can be added under any key.
        var isOpen: Bool
    }

    /// Executes an operation on the record and on elements, with more and more keys until it needs no others.
    ///
    /// A storage of this library lists the elements in the operation itself, which therefore ends beside others that
    /// add some.
    ///
    /// - Parameter isWhole: Whether it needs all elements from the start.
    private func update<Output: Sendable>(
        ofAll isWhole: Bool = false, _ body: @Sendable (_ data: inout [String: Data], Reach) throws -> Output
    ) async throws -> Output {
        let locking = storage as? any LockingStorage
        /// The keys of added elements, which should have no data.
        let new = Lock<Set<String>>([])
        var (reach, listed) = (Reach(keys: [key], isWhole: isWhole, isOpen: false), UInt64??.none)
        while true {
            reach.isOpen = reach.isWhole && locking != nil
            if reach.isWhole, locking == nil { reach.keys.formUnion(try await keysOfElements()) }
            do {
                let output = Lock<Output?>(nil)
                let change = { @Sendable [reach] (all: inout [String: Data]) in
                    let old = all
                    all = all.filter { !isAside($0.key) }
                    let result = try body(&all, reach)
                    let added = all.keys.filter { old[$0] == nil && !reach.keys.contains($0) }
                    new.withLock { $0.formUnion(added) }
                    all.merge(old.filter { isAside($0.key) }) { $1 }
                    output.withLock { $0 = result }
                }
                if let locking {
                    let start = reach.isOpen ? SavedKey.elements(of: key) : nil
                    try await locking.update(reach.keys, startingWith: start, change)
                } else {
                    try await storage.update(reach.keys, change)
                }
                if let output = output.withLock({ $0 }) { return output }
            } catch Lack.keys(let others, let fresh) {
                // A merge may make others each time.
                reach.isWhole = reach.isWhole || reach.keys.count > 1
                reach.keys.formUnion(others)
                new.withLock { $0.formUnion(fresh) }
            } catch Relux.StorageError.damaged(let lost, _) where new.withLock({ $0.contains(lost) }) {
                // It was left behind when the others were set aside, because its file doesn't tell its key.
                try await setAside([lost]) { _ in true }
            } catch Lack.elements(let generation) {
                // Nobody has saved since all elements were looked for.
                if reach.isOpen || listed == .some(generation) { throw Relux.SavedDamage.missingElements }
                (listed, reach.isWhole) = (.some(generation), true)
            }
        }
    }

    /// Replaces the stored data by what a save makes of them.
    ///
    /// - Returns: Everything that is known then.
    private func change(
        _ data: inout [String: Data], in reach: Reach, to ours: Payload, knowing known: SavedMemory<Payload>.Known
    ) throws -> SavedMemory<Payload>.Known {
        let record = try record(in: data)
        var theirs = known
        if let attempted = memory.recognized(record?.generation) {
            theirs = attempted
        } else if record?.generation != known.generation || record != nil && known.stored == nil
            || elements == nil && known.places != nil
        {
            theirs = try self.known(from: data)
            (theirs.base, theirs.isShared) = (known.base, record?.generation == known.generation && known.isShared)
        }
        guard let merged = theirs.isShared ? ours : try merged(theirs.base, ours, theirs.stored) else {
            guard theirs.places == nil || reach.isWhole else { throw Lack.elements(of: record?.generation) }
            data = [:]
            return SavedMemory.Known(base: ours, isShared: false)
        }
        (theirs.base, theirs.isShared) = (ours, theirs.isShared || merged == ours)
        if record != nil, merged == theirs.stored { return theirs }
        return try write(merged, over: theirs, &data, in: reach)
    }

    private func write(
        _ payload: Payload, over theirs: SavedMemory<Payload>.Known, _ data: inout [String: Data], in reach: Reach
    ) throws -> SavedMemory<Payload>.Known {
        let generation = UInt64.random(in: .min ... .max)
        func record(_ body: Data, elementCount: Int? = nil, rank: Double? = nil) -> Data {
            SavedRecord(
                format: format, version: version, body: body, generation: generation, elementCount: elementCount,
                rank: rank
            ).data
        }
        var new = theirs
        (new.generation, new.stored) = (generation, payload)
        if let elements {
            let isWhole = theirs.places == nil
            // Data that a `Saved` without elements has left belong to nothing.
            guard !isWhole || theirs.generation == nil || reach.isWhole else {
                throw Lack.elements(of: theirs.generation)
            }
            let plan = elements.plan(isWhole ? nil : theirs.stored, payload, theirs.places)
            let keys = Set(plan.changes.map { key(of: $0) })
            guard reach.isOpen || keys.isSubset(of: reach.keys) else {
                throw Lack.keys(keys, new: Set(plan.changes.filter(\.isNew).map { key(of: $0) }))
            }
            if isWhole { data = [:] }
            for change in plan.changes {
                guard !change.isNew || data[key(of: change)] == nil else { throw Relux.SavedDamage.sameID(change.part) }
                data[key(of: change)] = try change.encode.map { record(try $0(format), rank: change.rank) }
            }
            new.places = plan.places
            data[key] = record(try format.encode(plan.rest), elementCount: plan.count)
        } else {
            data[key] = record(try format.encode(payload))
        }
        memory.noteAttempt(new)
        return new
    }

    private func key(of change: SavedChange) -> String { SavedKey.elements(of: key) + change.part }

    /// The value to save after a conflict; nil if there is none.
    private func merged(_ base: Payload?, _ ours: Payload, _ theirs: Payload?) throws -> Payload? {
        let sides = theirs.flatMap { elements?.reconciled(base, ours, $0) }
        let (ours, theirs) = (sides?.ours ?? ours, sides?.theirs ?? theirs)
        let merged = ours == theirs ? ours : try conflict.resolve(base, ours, theirs)
        return merged.map { elements?.configured($0, as: ours) ?? $0 }
    }
}

/// A ``Saved`` of any type.
private protocol SavedKnowledge: Relux.StatePersistence {
    var key: String { get }
    /// The generation of what is stored; nil if it isn't known.
    var generation: UInt64?? { get }
}

extension Relux.Saved: SavedKnowledge {
    fileprivate var generation: UInt64?? { memory.known.map(\.generation) }
}
