/// Something that readers read: a state, the instances of a module, the absence of either, or a scope.
///
/// - Isolation: The core's.
class Source {
    /// The scope that it belongs to; 0 for the root.
    let scope: UInt64
    /// Grows with each change. A reader compares it with the version that it has seen.
    final private(set) var version: UInt64 = 0
    /// Whether it was removed from the store. Readers may still hold it.
    final private(set) var isGone = false
    /// What is told of each change, by its places.
    final fileprivate(set) var readers = ArrivalList<SourceReader>() { didSet { isFollowed = !readers.isEmpty } }
    /// Whether there is anything to tell. Stored, because every action asks.
    final private(set) var isFollowed = false
    /// Whether this is a state.
    let isState: Bool

    init(in scope: UInt64, isState: Bool = false) {
        (self.scope, self.isState) = (scope, isState)
    }

    final func noteChange() { version &+= 1 }

    final func noteRemoval() {
        isGone = true
        noteChange()
    }
}

/// What reads sources. It is told of their changes as long as it follows them, and they keep it alive.
///
/// - Isolation: The core's.
class SourceReader {
    /// The sources that it follows, with its places there. They keep it alive.
    final private(set) var places: [(source: Source, place: UInt64)] = []

    /// A source that it follows has changed, has appeared, or was removed.
    ///
    /// - Parameter touched: Receives the reader, if it is a follower that is to be refreshed.
    func sourceChanged(in core: isolated Core, _ touched: inout [AnyFollower]) {}

    /// A state that it follows is about to be removed.
    ///
    /// - Parameter removed: The scope of what is removed.
    func keepLast(ofScope removed: UInt64, in core: isolated Core) {}

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

extension Core {
    /// Tells the readers of a source that it has changed, has appeared, or was removed.
    func wakeReaders(of source: Source?) {
        guard let source, source.isFollowed else { return }
        // A copy, because a reader may stop following.
        let readers = source.readers
        var touched: [AnyFollower] = []
        readers.forEach { _, reader in reader.sourceChanged(in: self, &touched) }
        guard !touched.isEmpty else { return }
        touchedFollowers += touched
        leftovers.hasTouchedFollowers = true
    }
}
