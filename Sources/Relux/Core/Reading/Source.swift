/// Something that readers read: a state, the instances of a module, the absence of a state, or whether a scope exists.
///
/// - Isolation: The core's.
class Source {
    /// The scope that it belongs to; 0 for the root.
    final let scope: UInt64
    /// Grows with each change. A reader compares it with the version that it has seen.
    final private(set) var version: UInt64 = 0
    /// Set once it was removed from the store. Readers may still hold it.
    final private(set) var isGone = false
    /// The readers that are told of each change, by their places.
    final fileprivate(set) var readers = ArrivalList<SourceReader>() {
        didSet {
            isFollowed = !readers.isEmpty
            if !isFollowed { lastReaderHasGone() }
        }
    }
    /// Whether there is anyone to tell. Stored, because every action asks.
    final private(set) var isFollowed = false
    /// Whether its readers will be told at the end of the step.
    final private var isNoted = false
    /// Whether this is a state.
    final let isState: Bool

    init(in scope: UInt64, isState: Bool = false) { (self.scope, self.isState) = (scope, isState) }

    /// The last reader has stopped following it.
    func lastReaderHasGone() {}

    final func markChanged() { version &+= 1 }

    final func markGone() {
        isGone = true
        markChanged()
    }

    /// - Returns: Whether it has readers, and wasn't noted before.
    final func note() -> Bool {
        defer { isNoted = isFollowed }
        return isFollowed && !isNoted
    }

    /// Tells its readers.
    final func tellReaders(in owner: Readers) {
        isNoted = false
        // The loop has its own copy: a reader may stop following.
        for reader in readers { reader.sourceChanged(in: owner) }
    }
}

/// A reader of sources. It is told of their changes as long as it follows them, and they keep it alive.
///
/// - Isolation: The core's.
class SourceReader {
    /// A source that a reader follows.
    struct Place {
        let source: Source
        /// The number of the reader there.
        fileprivate let number: UInt64
        /// The version of the source that the reader has seen.
        fileprivate var version: UInt64

        /// Whether the source has changed or was removed since.
        var isOutdated: Bool { source.version != version }
    }

    /// Its places in the sources that it follows, which it keeps alive.
    final private(set) var places: [Place] = []

    /// A source that it follows has changed, has appeared, or was removed.
    func sourceChanged(in readers: Readers) {}

    /// A state that it follows is about to be removed.
    ///
    /// - Parameter removed: The scopes of what is removed.
    func keepLast(ofScopes removed: Set<UInt64>, in readers: Readers) {}

    /// Follows these sources, which it has just read, and no others.
    final func follow(_ sources: [Source]) {
        if places.elementsEqual(sources, by: { $0.source === $1 }) {
            for index in places.indices { places[index].version = places[index].source.version }
            return
        }
        let earlier = places
        // First, so that what it goes on following isn't without readers in between.
        places = sources.map { Place(source: $0, number: $0.readers.append(self), version: $0.version) }
        for place in earlier { place.source.readers.remove(place.number) }
    }

    /// Whether a source that it follows was removed.
    final var hasLostSource: Bool { places.contains { $0.source.isGone } }

    func stopFollowing() { follow([]) }
}

/// The sources that a selection has read.
final class ReadLog {
    private(set) var sources: [Source] = []
    private var known: Set<ObjectIdentifier> = []

    func note(_ source: Source) {
        if known.insert(ObjectIdentifier(source)).inserted { sources.append(source) }
    }
}
