/// A gate that decides whose data the services work on.
///
/// Services behind it work in the folder to which it is open. While it is closed, because the profile isn't known yet
/// or somebody is signing out, they wait. A request made in between is therefore served for the next profile, and never
/// partly for one and partly for another.
///
/// - Isolation: None. It can be used from anywhere.
/// - Cancellation: A cancelled task never passes, whether the door is open or closed. Work started for the previous
///   profile therefore can't reach the data of the next one, even if it ignores its cancellation.
/// - Lifetime: A caller waits until the door opens or its task is cancelled.
public final class ProfileDoor: Sendable {
    private struct Position {
        /// The folder to which the door is open, or nil while it is closed.
        var folder: String?
        var waiting: [Int: CheckedContinuation<String?, Never>] = [:]
        var lastTicket = 0
    }

    private let position: Lock<Position>

    /// Creates a door.
    public init(folder: String? = nil) {
        position = Lock(Position(folder: folder))
    }

    /// Opens the door. Waiting callers resume in the order of their arrival.
    public func open(to folder: String) {
        let waiting = position.withLock { position in
            position.folder = folder
            defer { position.waiting = [:] }
            return position.waiting.sorted { $0.key < $1.key }
        }
        for (_, continuation) in waiting { continuation.resume(returning: folder) }
    }

    /// Closes the door. Callers that have already passed are not affected.
    public func close() {
        position.withLock { $0.folder = nil }
    }

    /// Waits until the door is open.
    ///
    /// - Returns: The path of the folder to which it is open, or nil if the task is cancelled.
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
                    // If the task is cancelled after this check, the handler finds the ticket.
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
