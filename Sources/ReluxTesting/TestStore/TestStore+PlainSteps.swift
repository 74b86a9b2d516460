import Relux
import Testing

/// Steps whose action concerns nothing but reducers, in a store with nothing else to do.
///
/// They enter the store on the caller's thread, and touch neither the scheduler nor a state that doesn't change.
/// Everything else takes the full way, with the same results.
extension TestStore {
    /// Makes a step in which the action of a state changes only that state, as stated.
    ///
    /// - Returns: Whether it was made. If not, nothing has happened.
    // inlinable, like what it calls: the states are then accessed by their types, without any metadata.
    @inlinable
    nonisolated(nonsending) func makePlainStep<S: Relux.State>(
        _ action: S.Action, in handle: Relux.StoreHandle, _ change: (inout S) -> Void, at site: Relux.CallSite,
        _ location: SourceLocation
    ) async -> Bool {
        // nonisolated(unsafe): the closures are executed before the call returns, on this thread.
        nonisolated(unsafe) var reference: StateReference<S>?
        nonisolated(unsafe) var number: UInt64 = 0
        nonisolated(unsafe) var before: S?
        nonisolated(unsafe) var after: S?
        let step = dispatchPlainly(action, in: handle, at: site, from: #isolation) { states in
            guard let found = states.lone(S.self) else { return false }
            reference = found
            number = found.number
            before = found.value
            return true
        } didReduce: { _ in
            after = reference?.value
        }
        guard let step, let before, let after else { return false }
        if !isAtRest { await executor.rest() }
        let isExhaustive = check(before: step, action, location)
        var stated = isExhaustive ? before : after
        change(&stated)
        if stated == after, !isExhaustive || stated != before {
            know(after, ofCell: number, after: step)
        } else {
            // The change is not applied again.
            let change = StateChange<S>(in: handle.path) { [stated] state in state = stated }
            check(step, after, ofCell: number, change, of: action, location)
        }
        return true
    }

    /// Makes a step with any changes, which are to be checked afterwards.
    ///
    /// - Returns: The step; nil if it wasn't made, and nothing has happened.
    nonisolated(nonsending) func makePlainStep(
        _ action: some Relux.Action, in handle: Relux.StoreHandle, _ changes: [any AnyStateChange],
        at site: Relux.CallSite, _ location: SourceLocation
    ) async -> StepMade? {
        let path = handle.path
        guard changes.allSatisfy({ $0.path == path }) else { return nil }
        let states = PlainStates(changes)
        let step = dispatchPlainly(
            action, in: handle, at: site, from: #isolation, willReduce: states.willReduce, didReduce: states.didReduce)
        guard let step else { return nil }
        if !isAtRest { await executor.rest() }
        return .plain(step, states, action)
    }

    /// Checks a plain step with any changes.
    func check(
        _ step: PlainStep, _ states: PlainStates, of action: some Relux.Action, _ location: SourceLocation
    ) {
        let isExhaustive = check(before: step, action, location)
        guard !states.areMet(exhaustively: isExhaustive) else { return ledger.know(states, after: step) }
        var snapshot = ledger.known
        states.bringUpToDate(&snapshot)
        check(step, snapshot, states.changes, of: action, location)
    }

    @usableFromInline var isAtRest: Bool { executor.isAtRest }

    /// Dispatches an action on the caller's thread, if it concerns nothing but reducers and nothing else is to be done.
    ///
    /// - Returns: Nil, and nothing has happened, if the action has to be dispatched on the scheduler.
    @usableFromInline
    func dispatchPlainly(
        _ action: some Relux.Action, in handle: Relux.StoreHandle, at site: Relux.CallSite,
        from isolation: (any Actor)?, willReduce: @Sendable (StepStates) -> Bool,
        didReduce: @Sendable (StepStates) -> Void
    ) -> PlainStep? {
        guard executor.isAtRest else { return nil }
        // nonisolated(unsafe): the closures are executed before the call returns, on this thread.
        nonisolated(unsafe) var found: StateSnapshot?
        nonisolated(unsafe) var end: StatePosition?
        let sequence = handle.dispatchStep(
            action, at: site, from: isolation, notTelling: Self.ownObserverCount
        ) { states in
            guard willReduce(states), let isKnown = ledger.beginPlainStep(at: states.position) else { return nil }
            if !isKnown { found = StateSnapshot(states.reader) }
            // The clock showed zero when the store was created.
            return clock.now.offset
        } didReduce: { states, record in
            didReduce(states)
            end = states.position
            recorder.actionReduced(record)
        }
        guard let sequence, let end else { return nil }
        return PlainStep(sequence: sequence, position: end, found: found)
    }

    /// Expects that nothing had changed before a step.
    ///
    /// - Returns: Whether the step must state everything.
    @usableFromInline
    func check(before step: PlainStep, _ action: some Relux.Action, _ location: SourceLocation) -> Bool {
        if let found = step.found { checkNothingChanged(found, before: ActionText.line(action), location) }
        return exhaustivity == .on
    }

    /// Brings the known states up to date with a step that has changed one state as stated.
    @usableFromInline
    func know(_ state: any Relux.State, ofCell cell: UInt64, after step: PlainStep) {
        ledger.know(state, ofCell: cell, after: step)
    }

    /// Compares all states after a step that has changed one state with the known states and the stated change.
    @usableFromInline
    func check(
        _ step: PlainStep, _ state: any Relux.State, ofCell cell: UInt64, _ change: any AnyStateChange,
        of action: some Relux.Action, _ location: SourceLocation
    ) {
        var snapshot = ledger.known
        snapshot.replace(state, ofCell: cell)
        check(step, snapshot, [change], of: action, location)
    }

    /// Compares all states after a step with the known states and the stated changes.
    private func check(
        _ step: PlainStep, _ after: StateSnapshot, _ changes: [any AnyStateChange], of action: some Relux.Action,
        _ location: SourceLocation
    ) {
        let record = recorder.records.last { $0.sequence == step.sequence }
        let text = record.map { RecordingObserver.Event.actionReduced($0).description } ?? ActionText.line(action)
        check(after, changes, after: "After \(text)", location)
    }
}
