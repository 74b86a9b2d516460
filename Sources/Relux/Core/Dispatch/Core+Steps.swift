/// A point in the history of a store's states. Between two equal positions, no state has changed.
package struct StatePosition: Sendable, Equatable {
    let sequence: UInt64
    let upheavals: UInt64
}

/// The states whose reducers an action runs, as a step sees them. Valid during the step only.
@usableFromInline
package struct ReducedStates {
    let reference: RouteReference

    /// The number of the cell, if there is only one reducer.
    @usableFromInline
    package var lone: UInt64? { reference.loneCellSerial }

    /// The numbers of the cells, each once, with the present values.
    package var all: [(serial: UInt64, value: any Relux.State)] {
        var seen: Set<UInt64> = []
        return reference.route.cells.compactMap { cell in
            seen.insert(cell.serial).inserted ? cell.anyValue.map { (cell.serial, $0) } : nil
        }
    }
}

/// The way of an action that a tool dispatches as a step.
extension Core {
    /// Where the states are now.
    var position: StatePosition { StatePosition(sequence: sequence, upheavals: upheavals) }

    /// Takes an action that concerns nothing but reducers, observers and readers, as ``dispatchFast(_:of:in:at:)``
    /// does.
    ///
    /// - Parameters:
    ///   - address: The instance in which the action is dispatched; nil for the root.
    ///   - willReduce: Called before the reducers run. If it returns false, nothing happens.
    ///   - didReduce: Called when they have run, before the observers.
    /// - Returns: The action's sequence number; 0 if it concerns anything else. Nothing has happened then.
    func dispatchStep<A: Relux.Action>(
        _ action: A, in address: ScopeAddress?, at site: Relux.CallSite, willReduce: StepBeginning,
        didReduce: StepEnd
    ) -> UInt64 {
        guard allowsFastPath, runs.allRunningAreLive, let scope = address == nil ? root : address?.known(in: self),
            let route = scope.fastRoute(for: A.self), route.isReducersOnly
        else { return 0 }
        let reader = Relux.StateReader(at: .scope(scope), reporter)
        let reduced = ReducedStates(reference: route)
        guard willReduce(reader, reduced, position) else { return 0 }
        sequence &+= 1
        let isAwaited = route.reduce(action)
        didReduce(reader, reduced, position)
        if reporter.hasObservers {
            route.lend { route in reporter.reducedFromOutside(action, numbered: sequence, on: route, at: site, self) }
        }
        if isAwaited { route.wakeReaders() }
        return sequence
    }
}

extension Core {
    /// Looks at the states before the reducers of a step run, as seen from its scope, and decides whether they may.
    typealias StepBeginning = @Sendable (borrowing Relux.StateReader, ReducedStates, StatePosition) -> Bool
    /// Looks at the states after the reducers of a step have run, before an observer does.
    typealias StepEnd = @Sendable (borrowing Relux.StateReader, ReducedStates, StatePosition) -> Void
}
