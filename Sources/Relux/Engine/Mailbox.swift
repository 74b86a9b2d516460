import Synchronization

/// What was handed to the store without waiting: sends, subscriptions, cancellations, releases.
///
/// Every entry into the store empties the mailbox first, so what a task posts precedes whatever the task does next,
/// whichever verb it uses. For posters that do nothing else, one task at a time is started that empties it.
///
/// It is an unbounded multi-producer, single-consumer queue: a chain of ``MailboxSegment``s. One atomic word holds the
/// newest segment and the number of its slots that were handed out. A poster claims a slot by incrementing that number
/// and then fills it. No poster waits for another one, and apart from a segment now and then, posting allocates only
/// what boxing the action needs. The reader skips a slot whose poster was held up in between, and looks at it the next
/// time. That poster can't do anything else in the meantime, so the mail of one task stays in order.
///
/// No collection is missed: a poster that has filled a slot checks whether a collection was requested, and a collection
/// clears the request before it looks at the slots. All these accesses are sequentially consistent, so one of the two
/// sees the other.
///
/// - Isolation: `takeAll` is called inside the store, and never by what it delivers. Everything else can be called from
///   any thread.
/// - Ordering: First in, first out, for mail that was posted before the other was begun.
final class Mailbox: Sendable {
    /// An action, or an order in the form of an action, so that all mail is opened in the same way.
    struct Mail: Sendable {
        let action: any Relux.Action
        let origin: Origin
        let site: Relux.CallSite
    }

    /// Something to do inside the store that is not an action.
    struct Order: Relux.Action {
        let body: @Sendable (isolated Core) -> Void
    }

    /// The newest segment and the number of its slots that were handed out; 0 before the first mail.
    ///
    /// ABA is harmless to posters: the word is all that they need to know. Only `takeAll` counts down, so it never sees
    /// a stale word itself.
    private let newest = Atomic<UInt>(0)
    /// An empty segment for the next poster that needs one; 0 if there is none.
    private let spare = Atomic<UInt>(0)
    /// Whether a collection was requested that has not started yet.
    private let isCollectionRequested = Atomic(false)

    deinit {
        takeAll { _ in }
        MailboxSegment(word: newest.load(ordering: .relaxed))?.deallocate()
        MailboxSegment(word: spare.load(ordering: .relaxed))?.deallocate()
    }

    /// Whether there may be mail, or a claimed slot. Never false if the calling task has posted mail that was not taken
    /// yet.
    var isOccupied: Bool {
        // Relaxed: nothing is read by means of this word. `takeAll` loads it again.
        MailboxSegment.count(word: newest.load(ordering: .relaxed)) != 0
    }

    /// Appends mail.
    ///
    /// - Returns: Whether the caller must request a collection.
    func post(_ mail: consuming Mail) -> Bool {
        claim().fill(mail)
        return requestCollection()
    }

    /// Claims the next slot. The caller must fill it and then call ``requestCollection()``.
    func claim() -> MailboxSegment.Slot {
        var word = newest.load(ordering: .relaxed)
        var added: MailboxSegment?
        while true {
            let last = MailboxSegment(word: word)
            var index = MailboxSegment.count(word: word)
            let segment: MailboxSegment
            if let last, index < MailboxSegment.capacity {
                segment = last
            } else {
                segment =
                    added ?? MailboxSegment(word: spare.exchange(0, ordering: .acquiring)) ?? MailboxSegment()
                // Linked again in each round, because the exchange below may have failed.
                segment.follow(last)
                added = segment
                index = 0
            }
            let (isExchanged, found) = newest.weakCompareExchange(
                expected: word, desired: segment.word(count: index + 1), ordering: .sequentiallyConsistent
            )
            if isExchanged {
                if let added, added != segment { recycle(added) }
                return segment.slot(index)
            }
            word = found
        }
    }

    /// Requests a collection after a slot was filled.
    ///
    /// - Returns: Whether the caller must start it; false if one is on its way.
    func requestCollection() -> Bool {
        // Read first: usually a collection is on its way, and then nothing is written.
        !isCollectionRequested.load(ordering: .sequentiallyConsistent)
            && !isCollectionRequested.exchange(true, ordering: .sequentiallyConsistent)
    }

    /// Takes all mail.
    ///
    /// - Parameters:
    ///   - isCollection: Whether the caller is the task that was started to empty the mailbox.
    ///   - deliver: Receives the mail in order.
    func takeAll(isCollection: Bool = false, _ deliver: (Mail) -> Void) {
        // Before the slots are read: a poster that fills one after this requests another collection.
        if isCollection { isCollectionRequested.store(false, ordering: .sequentiallyConsistent) }
        let word = newest.load(ordering: .sequentiallyConsistent)
        guard let last = MailboxSegment(word: word) else { return }
        var next: MailboxSegment? = last.oldest()
        while let segment = next, segment != last {
            next = segment.next
            segment.takeFilled(of: MailboxSegment.capacity, deliver)
            if segment.isTaken(MailboxSegment.capacity) {
                segment.unlink()
                recycle(segment)
            }
        }
        let count = MailboxSegment.count(word: word)
        last.takeFilled(of: count, deliver)
        // The slots are reused if all are free and no other slot was claimed in the meantime.
        guard last.isTaken(count), last.isOldest else { return }
        let isEmptied = newest.compareExchange(
            expected: word, desired: last.word(count: 0), ordering: .sequentiallyConsistent
        ).exchanged
        if isEmptied { last.reopen() }
    }

    /// Keeps one empty segment for reuse, so that a steady stream of mail allocates nothing.
    private func recycle(_ segment: MailboxSegment) {
        MailboxSegment(word: spare.exchange(segment.word(count: 0), ordering: .acquiringAndReleasing))?.deallocate()
    }
}

extension Mailbox.Mail {
    init(_ order: @escaping @Sendable (isolated Core) -> Void) {
        self.init(action: Mailbox.Order(body: order), origin: .outside, site: Relux.CallSite())
    }
}
