import Relux

/// An observer that keeps everything that a store does, in order.
///
/// ```swift
/// let recorder = RecordingObserver()
/// let store = try await Relux.Store(.init(observers: [recorder])) { Notes.Module(service: service) }
/// await store.dispatch(Notes.Effect.load)
///
/// await recorder.first { $0.runEnded != nil }
/// #expect(recorder.actions(of: Notes.State.Action.self) == [.loaded([])])
/// ```
///
/// - Isolation: Every member can be used from anywhere.
/// - Ordering: Events stand in the order in which the store reported them. One recorder may observe several stores;
///   each one's events then stand in its order, and the order among them is that of the reports.
/// - Lifetime: It keeps what it has recorded, actions and errors included, and no store.
public final class RecordingObserver: Relux.StoreObserver {
    private struct Contents {
        var events: [Event] = []
        var waiting: [Waiting] = []
        var lastID: UInt64 = 0
    }

    /// Somebody who has seen all events and wants to hear of the next.
    private struct Waiting {
        let id: UInt64
        let continuation: CheckedContinuation<Bool, Never>
    }

    private let contents = Lock(Contents())

    /// Makes a recorder that has seen nothing.
    public init() {}

    /// Everything so far, in order.
    ///
    /// - Complexity: O(1). The array shares its storage until the next event.
    public var events: [Event] { contents.withLock { $0.events } }

    /// Waits for the first event of a kind, counted from the first one recorded.
    ///
    /// An event that was recorded already counts, so nothing is missed between an action and the wait for what it
    /// sets off.
    ///
    /// - Isolation: The closure is called where the caller is isolated.
    /// - Cancellation: It ends when the task is cancelled.
    /// - Parameter isWanted: Whether it is this one. Each event is shown once, in order.
    /// - Returns: The event, or nil if the task was cancelled before it came.
    @discardableResult
    public nonisolated(nonsending) func first(where isWanted: (Event) throws -> Bool) async rethrows -> Event? {
        var seen = 0
        while true {
            let new = events.dropFirst(seen)
            if let found = try new.first(where: isWanted) { return found }
            seen += new.count
            guard await more(than: seen) else { return nil }
        }
    }

    /// Waits until a number of events of a kind have been recorded, counted from the first one.
    ///
    /// - Isolation: The closure is called where the caller is isolated.
    /// - Cancellation: It ends when the task is cancelled.
    /// - Parameters:
    ///   - count: How many.
    ///   - isWanted: Whether an event counts. Each is shown once, in order.
    /// - Returns: The first so many that count, in order; fewer if the task was cancelled before they came.
    @discardableResult
    public nonisolated(nonsending) func first(
        _ count: Int, where isWanted: (Event) throws -> Bool
    ) async rethrows -> [Event] {
        var found: [Event] = []
        _ = try await first { event in
            if found.count < count, try isWanted(event) { found.append(event) }
            return found.count >= count
        }
        return found
    }

    /// Waits for the first action of a type, counted from the first event recorded.
    ///
    /// - Cancellation: It ends when the task is cancelled.
    /// - Parameter type: The type of action.
    /// - Returns: The action, or nil if the task was cancelled before it came.
    @discardableResult
    public nonisolated(nonsending) func first<A: Relux.Action>(_ type: A.Type) async -> A? {
        await first(type) { _ in true }
    }

    /// Waits for the first action of a type that a closure wants, counted from the first event recorded.
    ///
    /// - Isolation: The closure is called where the caller is isolated.
    /// - Cancellation: It ends when the task is cancelled.
    /// - Parameters:
    ///   - type: The type of action.
    ///   - isWanted: Whether it is this one. Each action of the type is shown once, in order.
    /// - Returns: The action, or nil if the task was cancelled before it came.
    @discardableResult
    public nonisolated(nonsending) func first<A: Relux.Action>(
        _ type: A.Type, where isWanted: (A) throws -> Bool
    ) async rethrows -> A? {
        let event = try await first { event in
            guard let action = event.actionReduced?.action as? A else { return false }
            return try isWanted(action)
        }
        return event?.actionReduced?.action as? A
    }

    private func add(_ event: Event) {
        let waiting = contents.withLock { contents in
            contents.events.append(event)
            defer { contents.waiting = [] }
            return contents.waiting
        }
        for one in waiting { one.continuation.resume(returning: true) }
    }

    /// Waits until there are more events than somebody has seen.
    ///
    /// - Returns: Whether there are; not if the task was cancelled.
    private nonisolated(nonsending) func more(than seen: Int) async -> Bool {
        let id = contents.withLock { contents in
            contents.lastID += 1
            return contents.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = contents.withLock { contents in
                    if contents.events.count > seen { return true }
                    // The flag is set before the handler below runs, and read under the same lock. So a handler that
                    // came too early to find this wait has left the flag for it to see.
                    if Task.isCancelled { return false }
                    contents.waiting.append(Waiting(id: id, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let given = contents.withLock { contents in
                contents.waiting.firstIndex { $0.id == id }.map { contents.waiting.remove(at: $0) }
            }
            given?.continuation.resume(returning: false)
        }
    }
}

// MARK: - What the store reports

extension RecordingObserver {
    /// Keeps the action.
    ///
    /// - Parameter record: The action.
    public func actionReduced(_ record: Relux.ActionRecord) { add(.actionReduced(record)) }

    /// Keeps the start.
    ///
    /// - Parameter run: The run.
    public func runStarted(_ run: Relux.RunRecord) { add(.runStarted(run)) }

    /// Keeps the end.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - outcome: How it ended.
    ///   - lateError: What it threw after it had been cancelled or superseded.
    public func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
        add(.runEnded(run, outcome, lateError: lateError))
    }

    /// Keeps the refusal.
    ///
    /// - Parameter refusal: What, and why.
    public func refused(_ refusal: Relux.Refusal) { add(.refused(refusal)) }

    /// Keeps that a module came.
    ///
    /// - Parameter module: Its type.
    public func moduleRegistered(_ module: any Relux.Module.Type) { add(.moduleRegistered(module)) }

    /// Keeps that a module went.
    ///
    /// - Parameter module: Its type.
    public func moduleUnregistered(_ module: any Relux.Module.Type) { add(.moduleUnregistered(module)) }

    /// Keeps which states went back to their initial values.
    ///
    /// - Parameter states: Which ones.
    public func statesReset(_ states: [any Relux.State.Type]) { add(.statesReset(states)) }
}
