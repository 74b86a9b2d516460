/// Whose data the services work on at present.
///
/// Services that come through it work in the folder that it is open to. While it is closed, because it isn't known yet
/// whose data it is to be or because somebody is leaving, they wait. So what is asked for in between is done for the
/// one who comes, and never half for one and half for another.
///
/// - Isolation: None. It can be used from anywhere.
/// - Cancellation: Nobody passes whose task is cancelled, whether the door is open or not. What ran for the one who has
///   left can't reach the data of the one who has come, even if it doesn't listen to its cancellation.
/// - Lifetime: Whoever waits keeps waiting until it opens or the task is cancelled.
public final class ProfileDoor: Sendable {
    private struct Position {
        /// The folder that it is open to; nil while it is closed.
        var folder: String?
        var waiting: [Int: CheckedContinuation<String?, Never>] = [:]
        var lastTicket = 0
    }

    private let position: Lock<Position>

    /// Makes a door.
    ///
    /// - Parameter folder: The path of the folder that it is open to. The default is nil: it is closed.
    public init(folder: String? = nil) {
        position = Lock(Position(folder: folder))
    }

    /// Opens it: whoever waits goes on, in the order of coming.
    ///
    /// - Parameter folder: The path of the folder that it leads to.
    public func open(to folder: String) {
        let waiting = position.withLock { position in
            position.folder = folder
            defer { position.waiting = [:] }
            return position.waiting.sorted { $0.key < $1.key }
        }
        for (_, continuation) in waiting { continuation.resume(returning: folder) }
    }

    /// Closes it. Whoever has passed already goes on.
    public func close() {
        position.withLock { $0.folder = nil }
    }

    /// The path of the folder that it is open to.
    ///
    /// - Returns: The path, or nil where the task is cancelled.
    func folder() async -> String? {
        let ticket = position.withLock { position in
            position.lastTicket += 1
            return position.lastTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver: Bool
                let folder: String?
                (isOver, folder) = position.withLock { position in
                    // A task that is cancelled later finds the ticket here.
                    if Task.isCancelled { return (true, nil) }
                    if let folder = position.folder { return (true, folder) }
                    position.waiting[ticket] = continuation
                    return (false, nil)
                }
                if isOver { continuation.resume(returning: folder) }
            }
        } onCancel: {
            position.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(returning: nil)
        }
    }
}
