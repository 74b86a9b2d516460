import Relux

/// An observer that records everything that a store does, in order.
///
/// An error that nobody receives is recorded even if it is not the outcome of its run, such as that of a save. All of
/// them are in ``failures``.
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
/// - Ordering: Events are recorded in the order in which the store reports them. A recorder may observe several stores.
///   The events of each store are then in that store's order, and events of different stores are in the order of the
///   reports.
/// - Lifetime: The recorder keeps everything that it has recorded, including actions and errors. It keeps no store
///   alive.
public final class RecordingObserver: Relux.StoreObserver {
    private struct Contents {
        var events: [Event] = []
        var waiting: [Waiting] = []
        var lastID: UInt64 = 0
    }

    /// A task that has seen all events and waits for the next one.
    private struct Waiting {
        let id: UInt64
        let continuation: CheckedContinuation<Bool, Never>
    }

    private let contents = Lock(Contents())

    /// Creates an empty recorder.
    public init() {}

    /// Everything recorded so far, in order.
    ///
    /// - Complexity: O(1). The array shares its storage with the recorder until the next event.
    public var events: [Event] { contents.withLock { $0.events } }

    /// Waits for the first matching event, starting from the first one recorded.
    ///
    /// Events recorded before the call count too. Nothing is therefore missed between an action and the wait for its
    /// consequences.
    ///
    /// - Isolation: The closure is called in the caller's isolation.
    /// - Cancellation: The wait ends when the task is cancelled.
    /// - Parameter isWanted: Whether an event matches. It is called once per event, in order.
    /// - Returns: The event, or nil if the task was cancelled first.
    @discardableResult
    public nonisolated(nonsending) func first(where isWanted: (Event) throws -> Bool) async rethrows -> Event? {
        var seen = 0
        // A function, so that nothing shares the storage of the events during the wait, and the next event would copy
        // it.
        func next() throws -> Event? {
            let new = events.dropFirst(seen)
            seen += new.count
            return try new.first(where: isWanted)
        }
        while true {
            if let found = try next() { return found }
            guard await more(than: seen) else { return nil }
        }
    }

    /// Waits for a number of matching events, starting from the first one recorded.
    ///
    /// - Isolation: The closure is called in the caller's isolation.
    /// - Cancellation: The wait ends when the task is cancelled.
    /// - Parameters:
    ///   - count: The number of events to wait for.
    ///   - isWanted: Whether an event matches. It is called once per event, in order.
    /// - Returns: The first `count` matching events, in order; fewer if the task was cancelled first.
    @discardableResult
    public nonisolated(nonsending) func first(
        _ count: Int, where isWanted: (Event) throws -> Bool
    ) async rethrows -> [Event] {
        var found: [Event] = []
        guard count > 0 else { return found }
        _ = try await first { event in
            if found.count < count, try isWanted(event) { found.append(event) }
            return found.count >= count
        }
        return found
    }

    /// Waits for the first action of a type, starting from the first event recorded.
    ///
    /// - Cancellation: The wait ends when the task is cancelled.
    /// - Returns: The action, or nil if the task was cancelled first.
    @discardableResult
    public nonisolated(nonsending) func first<A: Relux.Action>(_ type: A.Type) async -> A? {
        await first(type) { _ in true }
    }

    /// Waits for the first matching action of a type, starting from the first event recorded.
    ///
    /// - Isolation: The closure is called in the caller's isolation.
    /// - Cancellation: The wait ends when the task is cancelled.
    /// - Parameter isWanted: Whether an action matches. It is called once per action of the type, in order.
    /// - Returns: The action, or nil if the task was cancelled first.
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

    // An autoclosure: the event is made in place, in the array, rather than copied there.
    @inline(__always)
    private func add(_ event: @autoclosure () -> Event) {
        let waiting: [Waiting] = contents.withLock { contents in
            contents.events.append(event())
            guard !contents.waiting.isEmpty else { return [] }
            defer { contents.waiting = [] }
            return contents.waiting
        }
        for one in waiting { one.continuation.resume(returning: true) }
    }

    /// Waits until more than a given number of events have been recorded.
    ///
    /// - Returns: False if the task was cancelled first.
    private nonisolated(nonsending) func more(than seen: Int) async -> Bool {
        let id = contents.withLock { contents in
            contents.lastID += 1
            return contents.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = contents.withLock { contents in
                    if contents.events.count > seen { return true }
                    // The cancellation flag is set before the handler below runs, and it is read under the lock that
                    // the handler takes. A handler that runs too early to find this wait has therefore left the flag
                    // set.
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

// MARK: - Store callbacks

extension RecordingObserver {
    /// Records a reduced action.
    public func actionReduced(_ record: Relux.ActionRecord, leaving _: borrowing Relux.StateReader) {
        add(.actionReduced(record))
    }

    /// Records the start of a run.
    public func runStarted(_ run: Relux.RunRecord) { add(.runStarted(run)) }

    /// Records the end of a run.
    ///
    /// - Parameter lateError: The error that the run threw after it had been cancelled or superseded.
    public func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
        add(.runEnded(run, outcome, lateError: lateError))
    }

    /// Records an error that nobody receives.
    public func failureUnreceived(of run: Relux.RunRecord, _ error: any Error) {
        add(.failureUnreceived(of: run, error))
    }

    /// Records a refusal.
    public func refused(_ refusal: Relux.Refusal) { add(.refused(refusal)) }

    /// Records the registration of a module.
    public func moduleRegistered(
        _ module: any Relux.Module.Type, in scope: Relux.Scope?, leaving _: borrowing Relux.StateReader
    ) {
        add(.moduleRegistered(module, in: scope))
    }

    /// Records that a module was listed or registered again.
    public func moduleShared(_ module: any Relux.Module.Type) { add(.moduleShared(module)) }

    /// Records the replacement of a module.
    public func moduleReplaced(
        _ module: any Relux.Module.Type, in scope: Relux.Scope?, leaving _: borrowing Relux.StateReader
    ) {
        add(.moduleReplaced(module, in: scope))
    }

    /// Records the unregistration of a module.
    public func moduleUnregistered(_ module: any Relux.Module.Type, in scope: Relux.Scope?) {
        add(.moduleUnregistered(module, in: scope))
    }

    /// Records a reset of states to their initial values.
    public func statesReset(_ states: [any Relux.State.Type], leaving _: borrowing Relux.StateReader) {
        add(.statesReset(states))
    }
}
