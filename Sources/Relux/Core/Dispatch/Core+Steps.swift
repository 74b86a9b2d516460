/// A point in the history of a store's states. Between two equal positions, no state has changed.
package struct StatePosition: Sendable, Equatable {
    /// The number of actions and upheavals so far. Neither ever decreases, so equal sums have equal parts.
    package let count: UInt64
}

/// The states of a store directly before or after the reducers of a step. Valid during the step only.
@usableFromInline
package struct StepStates {
    // Unmanaged: the core holds both during the step. To retain them would cost a twentieth of it.
    let scope: Unmanaged<ScopeNode>
    let reporter: Unmanaged<Reporter>
    let route: RouteReference
    /// Where the states are.
    package fileprivate(set) var position: StatePosition

    /// A reader in the scope of the action.
    package var reader: Relux.StateReader {
        Relux.StateReader(at: .scope(scope.takeUnretainedValue()), reporter.takeUnretainedValue())
    }

    /// The states whose reducers the action runs: the numbers of the cells, each once, with the present values.
    package var reduced: [(serial: UInt64, value: any Relux.State)] {
        var seen: Set<UInt64> = []
        return route.route.cells.compactMap { cell in
            seen.insert(cell.serial).inserted ? cell.anyValue.map { (cell.serial, $0) } : nil
        }
    }

    /// The only state whose reducer the action runs; nil if there are several, or if the type means another state in
    /// the scope of the action.
    @inlinable
    package func lone<S: Relux.State>(_ type: S.Type) -> StateReference<S>? {
        loneCell(of: type).map { StateReference($0) }
    }

    @usableFromInline
    func loneCell(of type: any Relux.State.Type) -> Unmanaged<AnyStateCell>? {
        guard let cell = route.loneCell, cell._withUnsafeGuaranteedRef({ $0.state == type }) else { return nil }
        // An instance may own a state of a type of which its dependency around it owns one, too.
        let isInnermost = scope._withUnsafeGuaranteedRef { scope in
            scope.parent == nil
                || cell._withUnsafeGuaranteedRef { scope.cell(of: ObjectIdentifier(type)) === $0 }
        }
        return isInnermost ? cell : nil
    }
}

/// The way of an action that a tool dispatches as a step.
extension Core {
    /// Where the states are now.
    var position: StatePosition { StatePosition(count: sequence &+ upheavals) }

    /// Takes an action that concerns nothing but reducers, observers and readers, as ``dispatchFast(_:of:in:at:)``
    /// does.
    ///
    /// - Parameters:
    ///   - address: The instance in which the action is dispatched; nil for the root.
    ///   - own: How many of the first observers are the tool's. They aren't told: `didReduce` takes the record.
    ///   - willReduce: Called before the reducers run.
    ///   - didReduce: Called when they have run, before the observers.
    /// - Returns: The action's sequence number; 0 if it concerns anything else. Nothing has happened then.
    func dispatchStep<A: Relux.Action>(
        _ action: A, in address: ScopeAddress?, at site: Relux.CallSite, notTelling own: Int,
        willReduce: StepBeginning, didReduce: StepEnd
    ) -> UInt64 {
        guard allowsFastPath, runs.allRunningAreLive, let scope = address == nil ? root : address?.known(in: self),
            let route = scope.fastRoute(for: A.self), route.isReducersOnly
        else { return 0 }
        var states = StepStates(
            scope: .passUnretained(scope), reporter: .passUnretained(reporter), route: route, position: position)
        guard let time = willReduce(states) else { return 0 }
        sequence &+= 1
        let isAwaited = route.reduce(action)
        states.position = position
        route.lend { route in
            let reduction = route.stepReduction(at: time, in: self)
            let record = Relux.ActionRecord(sequence: sequence, action: action, callSite: site, reduction)
            didReduce(states, record)
            reporter.reducedInStep(record, notTelling: own, self)
        }
        if isAwaited { route.wakeReaders() }
        return sequence
    }
}

extension Core {
    /// Looks at the states before the reducers of a step run, as seen from its scope. Returns the time of the step, on
    /// the store's clock, since the store was created; nil if the step must not be made.
    typealias StepBeginning = @Sendable (StepStates) -> Duration?
    /// Looks at the states after the reducers of a step have run, and takes the record of the action.
    typealias StepEnd = @Sendable (StepStates, Relux.ActionRecord) -> Void
}
