import Relux

/// The knowledge of a ``Saved`` about the saved value.
final class SavedMemory<Payload: Sendable>: Sendable {
    /// The saved value that this store and others share.
    struct Known: Sendable {
        /// The generation of the saved record; nil if there is none, or if its value isn't the one that the store has.
        var generation: UInt64?
        /// The value that the store had when it last loaded or saved. It is the base of a merge.
        var payload: Payload?
        /// Whether the saved record also has the elements, because it was saved by a `Saved` without `elements`.
        var isWhole = false
        /// The elements that are saved under keys of their own, by the part of the key that stands for the id.
        var elements: [String: SavedElement] = [:]
    }

    private struct Contents {
        /// Nil before the first load, save, or erasure.
        var known: Known?
        /// The value that others have saved and that the store is about to take in.
        var offered: Known?
        /// The generation that a save under way writes.
        var writing: UInt64?
        /// The number of times that a save has begun or ended.
        var saveMarks = 0
        var followers: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var lastFollower: UInt64 = 0
    }

    private let contents = Lock(Contents())

    var known: Known? { contents.withLock { $0.known } }

    func note(_ known: Known) { contents.withLock { $0.known = known } }

    // MARK: Saving

    func beginWriting(_ generation: UInt64) {
        contents.withLock { contents in
            contents.writing = generation
            contents.saveMarks += 1
        }
    }

    /// - Parameter known: What is known now; nil if the save has failed.
    func endWriting(_ known: Known?) {
        contents.withLock { contents in
            contents.writing = nil
            contents.saveMarks += 1
            if let known { (contents.known, contents.offered) = (known, nil) }
        }
        poke()
    }

    // MARK: Following

    /// Identifies a moment, so that a save after it is noticed.
    var mark: Int { contents.withLock { $0.saveMarks } }

    /// Offers the store what was found, if others have saved it and the store doesn't have it.
    ///
    /// - Parameter mark: The moment before it was read.
    func offer(_ known: Known, readAt mark: Int) -> Bool {
        contents.withLock { contents in
            guard contents.writing == nil, contents.saveMarks == mark,
                contents.known.map({ !known.isSame(as: $0) }) ?? true
            else { return false }
            contents.offered = known
            return true
        }
    }

    /// Notes that the store takes in what it was offered last.
    ///
    /// - Returns: Whether the offer is still right: nothing was saved since.
    func acceptOffer() -> Bool {
        contents.withLock { contents in
            guard let offered = contents.offered.take() else { return false }
            contents.known = offered
            return true
        }
    }

    /// Makes followers look again.
    func poke() {
        for follower in contents.withLock({ Array($0.followers.values) }) { follower.yield() }
    }

    /// Reports when a follower should look at what is saved: now, after each save, and when others have saved.
    func pokes(with storage: any Storage, _ key: String) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = contents.withLock { contents in
                contents.lastFollower += 1
                contents.followers[contents.lastFollower] = continuation
                return contents.lastFollower
            }
            let stop = Self.report(changesOf: key, in: storage) { continuation.yield() }
            continuation.onTermination = { [weak self] _ in
                stop()
                _ = self?.contents.withLock { $0.followers.removeValue(forKey: number) }
            }
            continuation.yield()
        }
    }

    private static func report(
        changesOf key: String, in storage: any Storage, _ report: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        if let storage = storage as? any ChangeReporting { return storage.reportChanges(of: key, report) }
        let task = Task { for await _ in storage.changes(of: key) { report() } }
        return { task.cancel() }
    }
}

/// What is known of an element that is saved under a key of its own.
struct SavedElement: Sendable, Hashable {
    /// Nil if the value of the saved record isn't the one that the store has.
    var generation: UInt64?
    var rank: Double
}

extension SavedMemory.Known {
    /// Whether both are about the same records.
    func isSame(as other: Self) -> Bool {
        generation == other.generation && elements.mapValues(\.generation) == other.elements.mapValues(\.generation)
    }
}
