import Synchronization

/// What was handed to the store without waiting: sends, subscriptions, cancellations, releases.
///
/// Every way into the store empties it first, so what a task posts comes before whatever that task does next, whichever
/// verb it takes. For those who do nothing else a task is started that empties it, one at a time.
///
/// It is a chain of ``MailBlock``s, of which the newest and the number of its given places stand in one atomic word.
/// Who posts takes a place by counting that up, and fills it then: nobody waits for anybody, and what is allocated is a
/// block now and then, and what an action itself may need.
/// A place whose poster is held up in between is passed over, and looked at the next time. The poster itself can't be
/// here for anything else meanwhile, so what one task posts stays in order.
///
/// No collection is missed: who has filled a place looks whether one is asked for, and a collection takes that back
/// before it looks at the places. All five accesses are sequentially consistent, so that one of the two sees the other.
///
/// - Isolation: `takeAll` is called inside the store, and not by what it delivers; all else from anywhere.
/// - Ordering: First in, first out, among the mails of which one was posted before the other one was begun.
final class Mailbox: Sendable {
    /// An action, or an order that has the form of one, so that all mails are opened in the same way.
    struct Mail: Sendable {
        let action: any Relux.Action
        let speaker: Speaker
        let site: Relux.CallSite
    }

    /// Something to do inside the store that is no action.
    struct Order: Relux.Action {
        let body: @Sendable (Core) -> Void
    }

    /// The newest block, and how many of its places were given away; 0 before the first mail.
    ///
    /// To post, no more has to be known, so an exchange that finds the word of a while ago again does right. Only
    /// `takeAll` counts down, so to that the word never comes back.
    private let newest = Atomic<UInt>(0)
    /// An empty block for whoever needs the next one; 0 if there is none.
    private let spare = Atomic<UInt>(0)
    /// Whether a collection is to come that hasn't begun yet.
    private let isCollectionAsked = Atomic(false)

    deinit {
        takeAll { _ in }
        MailBlock(word: newest.load(ordering: .relaxed))?.deallocate()
        MailBlock(word: spare.load(ordering: .relaxed))?.deallocate()
    }

    /// Whether there may be mail, or a place that is going to be filled. It is never false when the asking task has
    /// posted something that wasn't taken yet.
    var isOccupied: Bool { MailBlock.count(word: newest.load(ordering: .acquiring)) != 0 }

    /// Adds a mail at the end.
    ///
    /// - Returns: Whether the caller has to see to it that the mailbox gets emptied.
    func post(_ mail: consuming Mail) -> Bool {
        claim().fill(mail)
        return mustBeEmptied()
    }

    /// Takes a place at the end, which has to be filled. After that ``mustBeEmptied()`` has to be asked.
    func claim() -> MailBlock.Place {
        var word = newest.load(ordering: .relaxed)
        var added: MailBlock?
        while true {
            let last = MailBlock(word: word)
            var place = MailBlock.count(word: word)
            let block: MailBlock
            if let last, place < MailBlock.capacity {
                block = last
            } else {
                block = added ?? MailBlock(word: spare.exchange(0, ordering: .acquiring)) ?? MailBlock()
                // Also where it has followed another one before: the exchange below may have failed.
                block.follow(last)
                added = block
                place = 0
            }
            let (isExchanged, found) = newest.weakCompareExchange(
                expected: word, desired: block.word(count: place + 1), ordering: .sequentiallyConsistent
            )
            if isExchanged {
                if let added, added != block { recycle(added) }
                return block.place(place)
            }
            word = found
        }
    }

    /// Whether whoever has just filled a place has to see to it that the mailbox gets emptied.
    func mustBeEmptied() -> Bool {
        // Looked at first: most of the time others have seen to it, and then nothing is written.
        !isCollectionAsked.load(ordering: .sequentiallyConsistent)
            && !isCollectionAsked.exchange(true, ordering: .sequentiallyConsistent)
    }

    /// Takes everything out.
    ///
    /// - Parameters:
    ///   - isCollection: Whether this is the task that was started to empty the mailbox.
    ///   - deliver: Gets the mails, in order.
    func takeAll(isCollection: Bool = false, _ deliver: (Mail) -> Void) {
        // Before the mails are looked at: whoever fills a place after that asks for another collection.
        if isCollection { isCollectionAsked.store(false, ordering: .sequentiallyConsistent) }
        let word = newest.load(ordering: .sequentiallyConsistent)
        guard let last = MailBlock(word: word) else { return }
        var next: MailBlock? = last.oldest()
        while let block = next, block != last {
            next = block.next
            block.takeFilled(of: MailBlock.capacity, deliver)
            if block.isTaken(MailBlock.capacity) {
                block.leave()
                recycle(block)
            }
        }
        let count = MailBlock.count(word: word)
        last.takeFilled(of: count, deliver)
        // The places are given away again if all are free, and no other was given away meanwhile.
        guard last.isTaken(count), last.isOldest else { return }
        let isEmptied = newest.compareExchange(
            expected: word, desired: last.word(count: 0), ordering: .sequentiallyConsistent
        ).exchanged
        if isEmptied { last.reopen() }
    }

    /// Keeps one empty block for later, so that a steady stream of mails allocates nothing.
    private func recycle(_ block: MailBlock) {
        MailBlock(word: spare.exchange(block.word(count: 0), ordering: .acquiringAndReleasing))?.deallocate()
    }
}

extension Mailbox.Mail {
    init(_ order: @escaping @Sendable (Core) -> Void) {
        self.init(action: Mailbox.Order(body: order), speaker: .outside, site: Relux.CallSite())
    }
}
