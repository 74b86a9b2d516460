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
            guard isFollowed == readers.isEmpty else { return }
            isFollowed.toggle()
            followingChanged()
        }
    }
    /// Whether there is anyone to tell. Stored, because every action asks.
    final private(set) var isFollowed = false
    /// Whether its readers will be told at the end of the step.
    final private var isNoted = false
    /// Whether this is a state.
    final let isState: Bool

    init(in scope: UInt64, isState: Bool = false) { (self.scope, self.isState) = (scope, isState) }

    /// The first reader has begun to follow it, or the last one has stopped.
    func followingChanged() {}

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
    /// The sources that it follows, with its places there. They keep it alive.
    final private(set) var places: [(source: Source, place: UInt64)] = []

    /// A source that it follows has changed, has appeared, or was removed.
    ///
    /// - Parameter readers: Receives the reader, if it has more to do than it can by itself.
    func sourceChanged(in readers: Readers) {}

    /// A state that it follows is about to be removed.
    ///
    /// - Parameter removed: The scope of what is removed.
    func keepLast(ofScope removed: UInt64, in readers: Readers) {}

    /// Follows these sources, and no others.
    final func follow(_ sources: [Source]) {
        guard !places.elementsEqual(sources, by: { $0.source === $1 }) else { return }
        stopFollowing()
        places = sources.map { ($0, $0.readers.append(self)) }
    }

    /// Whether a source that it follows was removed.
    final var hasLostSource: Bool { places.contains { $0.source.isGone } }

    func stopFollowing() {
        for (source, place) in places { source.readers.remove(place) }
        places = []
    }
}

/// A source with the version that a reader has seen of it.
struct SeenSource {
    let source: Source
    private let version: UInt64

    init(_ source: Source) { (self.source, version) = (source, source.version) }

    /// Whether the source has changed or was removed since.
    var isOutdated: Bool { source.version != version }
}

/// The sources that a selection has read.
final class ReadLog {
    private(set) var sources: [SeenSource] = []
    private var known: Set<ObjectIdentifier> = []

    func note(_ source: Source) {
        if known.insert(ObjectIdentifier(source)).inserted { sources.append(SeenSource(source)) }
    }
}
