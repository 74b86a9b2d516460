import Synchronization

/// The calls that were handed to the store without waiting: sends, subscriptions, cancellations, releases.
///
/// Every entry into the store empties the mailbox first, so what a task posts precedes whatever the task does next,
/// whichever verb it uses. For posters that do nothing else, one task at a time is started that empties it.
///
/// - Isolation: Any thread posts. The mail is taken inside the store.
/// - Ordering: First in, first out.
final class Mailbox<Piece: Sendable>: Sendable {
    /// The mail, and whether a collection was requested that has not started yet.
    private let contents = Lock<(mail: [Piece], isCollectionRequested: Bool)>(([], false))
    private let isFilled = Atomic(false)

    /// Whether there is mail. Never false if the calling task has posted mail that was not taken yet.
    var isOccupied: Bool {
        // Relaxed: the lock orders the mail itself.
        isFilled.load(ordering: .relaxed)
    }

    /// Appends mail.
    ///
    /// - Returns: Whether the caller must request a collection; false if one is on its way.
    func post(_ mail: Piece) -> Bool {
        contents.withLock { contents in
            contents.mail.append(mail)
            isFilled.store(true, ordering: .relaxed)
            defer { contents.isCollectionRequested = true }
            return !contents.isCollectionRequested
        }
    }

    /// Takes all mail, in order.
    ///
    /// - Parameter isCollection: Whether the caller is the task that was started to empty the mailbox.
    func collect(isCollection: Bool) -> [Piece] {
        contents.withLock { contents in
            if isCollection { contents.isCollectionRequested = false }
            isFilled.store(false, ordering: .relaxed)
            defer { contents.mail = [] }
            return contents.mail
        }
    }
}
