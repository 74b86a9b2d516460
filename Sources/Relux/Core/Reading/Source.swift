/// Something that readers read: a state, the instances of a module, or the absence of either. It holds no value.
///
/// - Isolation: The core's.
class Source {
    /// The scope that it belongs to; 0 for the root.
    let scope: UInt64
    /// Grows with each change. A reader compares it with the version that it has seen.
    final private(set) var version: UInt64 = 0
    /// Whether it was removed from the store. Readers may still hold it.
    final private(set) var isGone = false
    /// The readers that wait for the next change, by their places.
    final fileprivate(set) var waits = ArrivalList<ReaderWait>() { didSet { noteReaders() } }
    /// The values outside that are brought up to date together, by their places.
    final var followers = ArrivalList<AnyFollower>() { didSet { noteReaders() } }
    /// Whether a change must be passed on to either. Stored, because every action asks.
    final private(set) var isAwaited = false
    /// Whether it was touched since its followers were brought up to date.
    final var isTouched = false
    /// Whether this is a state.
    let isState: Bool

    init(in scope: UInt64, isState: Bool = false) {
        (self.scope, self.isState) = (scope, isState)
    }

    private func noteReaders() { isAwaited = !waits.isEmpty || !followers.isEmpty }

    final func noteChange() { version &+= 1 }

    final func noteRemoval() {
        isGone = true
        followers.forEach { _, follower in follower.noteRemoval() }
    }
}

/// A reader that waits for one of several sources to change.
struct ReaderWait {
    /// Identifies the wait in the ``ReaderTable``.
    let number: UInt64
    /// Whether a change concerns the reader; nil if each does.
    let isConcerned: ((isolated Core) -> Bool)?
}

/// A source with the version that a reader has seen of it.
struct SeenSource {
    let source: Source
    private let version: UInt64
    private let wasGone: Bool

    init(_ source: Source) {
        self.source = source
        version = source.version
        wasGone = source.isGone
    }

    /// Whether the source has changed since.
    var hasNewVersion: Bool { source.version != version }

    /// Whether the source has changed or was removed since.
    var isOutdated: Bool { hasNewVersion || source.isGone != wasGone }
}

/// The readers that wait.
struct ReaderTable: ~Copyable {
    private struct Entry {
        let signal: Signal
        var places: [(source: Source, place: UInt64)]
    }

    private var entries: [UInt64: Entry] = [:]
    private var lastNumber: UInt64 = 0

    var count: Int { entries.count }

    /// Lets a reader wait until one of the sources changes in a way that concerns it.
    ///
    /// - Returns: The number of the wait, and the signal that ends it.
    mutating func wait(
        for sources: [Source], if isConcerned: ((isolated Core) -> Bool)?
    ) -> (number: UInt64, signal: Signal) {
        lastNumber += 1
        let wait = ReaderWait(number: lastNumber, isConcerned: isConcerned)
        let signal = Signal()
        entries[lastNumber] = Entry(signal: signal, places: sources.map { ($0, $0.waits.append(wait)) })
        return (lastNumber, signal)
    }

    /// Ends a wait.
    mutating func end(_ number: UInt64) {
        guard let entry = entries.removeValue(forKey: number) else { return }
        for (source, place) in entry.places { source.waits.remove(place) }
        entry.signal.fire()
    }

    mutating func endAll() {
        for number in entries.keys.sorted() { end(number) }
    }
}

extension Core {
    /// Resumes the readers that a change of a source, its appearance, or its removal concerns.
    ///
    /// Their selections are made here, in place, so that a reader whose selection is unchanged continues to wait.
    func wakeReaders(of source: Source?) {
        guard let source else { return }
        touchFollowers(of: source)
        guard !source.waits.isEmpty else { return }
        var concerned: [UInt64] = []
        source.waits.forEach { _, wait in
            if wait.isConcerned?(self) ?? true { concerned.append(wait.number) }
        }
        for number in concerned { readers.end(number) }
    }
}
