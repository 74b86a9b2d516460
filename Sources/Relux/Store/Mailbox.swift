import Synchronization

/// What was handed to the store without waiting: sends, subscriptions, cancellations, releases.
///
/// Every way into the store empties it first, so what a task posts comes before whatever that task does next, whichever
/// verb it takes. A task that empties it is started with the first mail after a quiet time, for those who do nothing
/// else.
///
/// - Isolation: `post` and `isOccupied` may be called from anywhere; `takeAll` inside the store.
/// - Ordering: First in, first out.
final class Mailbox: Sendable {
    enum Mail: Sendable {
        case action(any Relux.Action, Speaker, Relux.CallSite)
        case order(@Sendable (Core) -> Void)
    }

    private struct Contents {
        var mails: [Mail] = []
        var isCollectionUnderWay = false
    }

    private let contents = Lock(Contents())
    private let occupied = Atomic(false)

    /// Whether there may be mail. It is never false when the asking task has posted something that wasn't taken yet.
    var isOccupied: Bool { occupied.load(ordering: .acquiring) }

    /// Adds a mail at the end.
    ///
    /// - Returns: Whether the caller has to see to it that the mailbox gets emptied.
    func post(_ mail: Mail) -> Bool {
        contents.withLock { contents in
            contents.mails.append(mail)
            occupied.store(true, ordering: .releasing)
            defer { contents.isCollectionUnderWay = true }
            return !contents.isCollectionUnderWay
        }
    }

    /// Takes everything out.
    ///
    /// - Parameter isCollection: Whether this is the task that was started to empty the mailbox.
    /// - Returns: The mails, in order.
    func takeAll(isCollection: Bool = false) -> [Mail] {
        contents.withLock { contents in
            if isCollection { contents.isCollectionUnderWay = false }
            occupied.store(false, ordering: .releasing)
            var taken: [Mail] = []
            swap(&taken, &contents.mails)
            return taken
        }
    }
}
