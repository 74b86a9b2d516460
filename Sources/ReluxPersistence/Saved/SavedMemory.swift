import Relux

/// The knowledge of a ``Saved`` about what is stored.
final class SavedMemory<Payload: Sendable>: Sendable {
    /// The stored value, as far as this store knows it, and the store's own value of that time.
    struct Known: Sendable {
        /// The generation of the stored record; nil if there is none.
        var generation: UInt64?
        /// The stored value; nil if there is none, or if only its generation is known.
        var stored: Payload?
        /// The value that the store had when it last loaded, saved, or took in a value. It is the base of a merge.
        var base: Payload?
        /// Whether the store had just what is stored.
        var isShared = true
        /// The places of the stored elements. Nil if they are stored with the rest, or if they are not known.
        var places: (any Sendable)?
    }

    private struct Contents {
        /// Nil before the first load, save, or erasure.
        var known: Known?
        /// The value that a save has tried to store. It may be stored although the save has failed.
        var attempted: Known?
        /// The value that others have saved and that the store is about to take in.
        var offered: Known?
        /// The initial value of the state, which it may return to if others have erased what was saved.
        var initial: Payload?
        /// The number of times that a save or an erasure has begun or ended: odd while one is under way.
        var marks = 0
        /// Whether others may have saved since a follower has looked.
        var isReported = true
        /// Tells the last follower to look.
        var poke: AsyncStream<Void>.Continuation?
    }

    private let contents = Lock(Contents())

    /// Changes the contents. The payloads that it replaces are released outside the lock, by the caller.
    @discardableResult
    private func change<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
        let (result, before) = contents.withLock { contents in
            let before = contents
            return (body(&contents), before)
        }
        return withExtendedLifetime(before) { result }
    }

    var known: Known? { contents.withLock { $0.known } }

    /// A value of the store, from which those of others get what code chooses; nil if there is none yet.
    var configuration: Payload? { contents.withLock { $0.initial ?? $0.known?.base } }

    func note(_ known: Known) { change { $0.known = known } }
    func noteInitial(_ payload: Payload) { change { $0.initial = payload } }
    func noteAttempt(_ known: Known) { change { $0.attempted = known } }

    /// The value that a failed save of this store has stored nevertheless; nil if another one is stored.
    func recognized(_ generation: UInt64?) -> Known? {
        change { contents in
            guard let attempted = contents.attempted, attempted.generation == generation else { return nil }
            contents.known = attempted
            return attempted
        }
    }

    /// Knows the same as another one.
    func copy(_ other: SavedMemory) {
        let other = other.contents.withLock { $0 }
        change { ($0.known, $0.attempted, $0.initial) = (other.known, other.attempted, other.initial) }
    }

    // MARK: Saving

    /// Does something that stores other data. What was read before it ended may be outdated.
    ///
    /// - Parameter body: Returns what is known then.
    nonisolated(nonsending) func whileSaving(_ body: nonisolated(nonsending) () async throws -> Known) async throws {
        change { contents in
            // It has been looked at, but isn't taken in.
            if contents.offered != nil { contents.isReported = true }
            (contents.marks, contents.offered) = (contents.marks + 1, nil)
        }
        defer {
            let poke = contents.withLock { contents in
                contents.marks += 1
                return contents.poke
            }
            poke?.yield()
        }
        let known = try await body()
        change { ($0.known, $0.attempted) = (known, nil) }
    }

    // MARK: Following

    /// Begins a follower's look at what is stored.
    ///
    /// - Returns: Whether others may have saved, and the moment, so that a save after it is noticed. Nil while this
    ///   store saves; the end of the save is reported.
    func look() -> (isReported: Bool, mark: Int)? {
        contents.withLock { contents in
            guard contents.marks.isMultiple(of: 2) else { return nil }
            defer { contents.isReported = false }
            return (contents.isReported, contents.marks)
        }
    }

    /// Others may have saved.
    func noteReport() { contents.withLock { $0.isReported = true } }

    /// Offers the store what was found, unless this store has saved since then.
    ///
    /// - Parameter mark: The moment before it was read.
    func offer(_ known: Known, at mark: Int) -> Bool {
        change { contents in
            guard contents.marks == mark else {
                contents.isReported = true
                return false
            }
            contents.offered = known
            return true
        }
    }

    /// Whether nothing was saved since the last offer.
    var isOfferRight: Bool { contents.withLock { $0.offered != nil } }

    /// Notes that the store has what it was offered last, if that is so.
    ///
    /// - Parameter payload: The value that the store has.
    func noteTakenIn(_ payload: Payload) -> Bool where Payload: Equatable {
        let seen = contents.withLock { $0 }
        guard var offered = seen.offered else { return false }
        // Outside the lock: a payload's `==` is users' code.
        let isTakenIn = (offered.stored ?? seen.initial).map { $0 == payload } ?? (seen.known?.base != payload)
        guard isTakenIn else { return false }
        (offered.base, offered.isShared) = (offered.stored, true)
        return change { [offered] contents in
            // Otherwise, the store has what was offered before.
            guard let present = contents.offered, present.generation == offered.generation else { return false }
            (contents.known, contents.attempted, contents.offered) = (offered, nil, nil)
            return true
        }
    }

    /// Reports when a follower should look at what is saved: now, after each save, and when others have saved.
    func pokes(with storage: any Relux.Storage, _ key: String) -> AsyncStream<Void> {
        let (pokes, poke) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        contents.withLock { ($0.poke, $0.isReported) = (poke, true) }
        let report: @Sendable () -> Void = { [weak self] in
            self?.noteReport()
            poke.yield()
        }
        if let storage = storage as? any LockingStorage {
            let stop = storage.reportChanges(of: key, report)
            poke.onTermination = { _ in stop() }
        } else {
            let changes = storage.changes(of: key)
            let task = Task { for await _ in changes { report() } }
            poke.onTermination = { _ in task.cancel() }
        }
        poke.yield()
        return pokes
    }
}
