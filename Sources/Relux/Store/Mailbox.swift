import Synchronization

/// What was handed to the store without waiting: sends, subscriptions, cancellations, releases.
///
/// Every way into the store empties it first, so what a task posts comes before whatever that task does next, whichever
/// verb it takes. A task that empties it is started with the first mail after a quiet time, for those who do nothing
/// else.
///
/// It is a stack on one atomic pointer (R. K. Treiber, Systems Programming: Coping with Parallelism, 1986), which is
/// taken as a whole and turned round: nobody who posts waits for anybody, and as nothing is ever taken from it alone,
/// the pointer can't be mistaken for an older one.
///
/// - Isolation: `post` and `isOccupied` may be called from anywhere; `takeAll` inside the store.
/// - Ordering: First in, first out.
final class Mailbox: Sendable {
    /// An action, or an order that has the form of one, so that all mails are opened where they lie.
    // @unchecked Sendable: `next` is written before the mail is posted, and then by whoever took all mails.
    final class Mail: @unchecked Sendable {
        let action: any Relux.Action
        let speaker: Speaker
        let site: Relux.CallSite
        // Unmanaged: a mail that was posted owns itself until it is taken.
        @exclusivity(unchecked) fileprivate var next: Unmanaged<Mail>?

        init(_ action: any Relux.Action, by speaker: Speaker, at site: Relux.CallSite) {
            self.action = action
            self.speaker = speaker
            self.site = site
        }

        convenience init(_ order: @escaping @Sendable (Core) -> Void) {
            self.init(Order(body: order), by: .outside, at: Relux.CallSite())
        }
    }

    /// Something to do inside the store that is no action.
    struct Order: Relux.Action {
        let body: @Sendable (Core) -> Void
    }

    // Unmanaged: each mail on the stack is retained once, by `post`, and released once, by whoever has taken the stack.
    private let last = Atomic<Unmanaged<Mail>?>(nil)
    private let isCollectionUnderWay = Atomic(false)

    deinit {
        takeAll { _ in }
    }

    /// Whether there is mail. It is never false when the asking task has posted something that wasn't taken yet.
    var isOccupied: Bool { last.load(ordering: .acquiring) != nil }

    /// Adds a mail at the end.
    ///
    /// - Returns: Whether the caller has to see to it that the mailbox gets emptied.
    func post(_ mail: Mail) -> Bool {
        let posted = Unmanaged.passRetained(mail)
        var before = last.load(ordering: .relaxed)
        while true {
            mail.next = before
            let (isExchanged, found) = last.weakCompareExchange(
                expected: before, desired: posted, ordering: .sequentiallyConsistent
            )
            if isExchanged { break }
            before = found
        }
        // Who comes after another mail relies on whoever came first.
        return before == nil && !isCollectionUnderWay.exchange(true, ordering: .sequentiallyConsistent)
    }

    /// Takes everything out.
    ///
    /// - Parameters:
    ///   - isCollection: Whether this is the task that was started to empty the mailbox.
    ///   - deliver: Gets the mails, in order.
    func takeAll(isCollection: Bool = false, _ deliver: (Mail) -> Void) {
        // Before the mails are taken: whoever posts after that asks for another collection.
        if isCollection { isCollectionUnderWay.store(false, ordering: .sequentiallyConsistent) }
        var newest = last.exchange(nil, ordering: .sequentiallyConsistent)
        // Unmanaged: what was exchanged for nothing belongs to this call alone.
        var oldest: Unmanaged<Mail>?
        while let mail = newest {
            mail._withUnsafeGuaranteedRef {
                newest = $0.next
                $0.next = oldest
            }
            oldest = mail
        }
        while let mail = oldest?.takeRetainedValue() {
            oldest = mail.next
            deliver(mail)
        }
    }
}
