/// How an action comes in.
///
/// It can't be copied, and neither can an ``Core/OpenStep``: each copy would retain all that they hold.
struct Intake: ~Copyable {
    var speaker = Speaker.outside
    let site: Relux.CallSite
    /// Given by `perform`, which awaits it; else one is made when the action sets something off.
    var completion: Completion?
    /// The output that `perform` promises; nil for all other verbs.
    var output: Any.Type?
    /// How deep in its thread a run would stand that whoever performs begins; 0 if runs begin elsewhere.
    var depth = 0
    /// The run that an action of the store's own comes from: it was cancelled, and this tidies up.
    var cause: RunHandle?
}

/// A run that begins outside the store, in the thread of whoever performs its trigger.
struct Beginning: Sendable {
    let responder: AnyResponder
    let run: RunHandle
}

/// What became of an action, or of the last one of a batch.
struct Taken: Sendable {
    enum Disposition: Sendable {
        case taken
        case unhandled
        case dropped
        case refused
        case storeShutDown
    }

    var sequence: UInt64?
    var disposition = Disposition.taken
    /// What can be awaited; nil if nothing was set off.
    var completion: Completion?
}

extension Core {
    /// Takes an action from a caller that waits until it has been reduced, after all that was posted before.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - handle: The run that speaks through its context; nil for stores and dispatchers.
    ///   - site: The line of the call.
    /// - Returns: What became of it.
    /// - Complexity: O(1), apart from the reducers, sagas and waiting readers of this very type of action.
    // inline, here and below: a dispatch costs little more than the calls that it is made of.
    @inline(__always)
    func dispatch(_ action: some Relux.Action, by handle: RunHandle?, at site: Relux.CallSite) -> Taken {
        if !mailbox.isOccupied, maySpeak(handle?.record.id ?? 0) {
            let sequence = reduceShortly(action)
            if sequence != 0 { return Taken(sequence: sequence) }
        }
        return dispatchAfterCollecting(action, by: handle, at: site)
    }

    @inline(never)
    private func dispatchAfterCollecting(
        _ action: some Relux.Action, by handle: RunHandle?, at site: Relux.CallSite
    ) -> Taken {
        collect()
        return take(action, by: speaker(handle), at: site)
    }

    /// Whether a run that speaks through its context is alive, or, where that is 0, the one whose task this is.
    @inline(__always)
    private func maySpeak(_ run: RunTable.RunID) -> Bool {
        run == 0 ? entries.isEmpty || isPresentTaskFree : table.isLive(run)
    }

    /// Whether the present task belongs to no run, or to one that is alive.
    @inline(never)
    private var isPresentTaskFree: Bool {
        let speaker = Speaker.ofCurrentTask(in: engine)
        return speaker.run == 0 || table.isLive(speaker.run)
    }

    /// Takes an action: the short way where it concerns nothing but reducers.
    @discardableResult
    func take<A: Relux.Action>(_ action: A, by speaker: Speaker, at site: Relux.CallSite) -> Taken {
        if speaker.run == 0 || table.isLive(speaker.run) {
            let sequence = reduceShortly(action)
            if sequence != 0 { return Taken(sequence: sequence) }
        }
        return accept(action, Intake(speaker: speaker, site: site))
    }

    /// The short way of an action that concerns nothing but reducers.
    ///
    /// - Returns: Its number, or 0 if it has to go the long way.
    @inline(__always)
    private func reduceShortly<A: Relux.Action>(_ action: A) -> UInt64 {
        guard isQuick, let found = routes[ObjectIdentifier(A.self)] else { return 0 }
        return found._withUnsafeGuaranteedRef { route in
            guard route.isPlain else { return 0 }
            sequence &+= 1
            // unsafeDowncast: `route(for:)` puts a route under the type of its own actions.
            if unsafeDowncast(route, to: Route<A>.self).reduce(action) { route.wakeReaders() }
            return sequence
        }
    }

    /// Takes actions of one type in one step.
    ///
    /// - Complexity: O(n) in the number of actions, with one look-up for all.
    func dispatch<C: Collection>(contentsOf batch: C, by speaker: Speaker, at site: Relux.CallSite) -> Taken
    where C.Element: Relux.Action {
        if isQuick, speaker.run == 0 || table.isLive(speaker.run), !batch.isEmpty,
            let found = routes[ObjectIdentifier(C.Element.self)]
        {
            let quick: UInt64? = found._withUnsafeGuaranteedRef { route in
                guard route.isPlain else { return nil }
                // unsafeDowncast: `route(for:)` puts a route under the type of its own actions.
                return reduceQuickly(contentsOf: batch, unsafeDowncast(route, to: Route<C.Element>.self))
            }
            if let quick { return Taken(sequence: quick) }
        }
        return accept(batch: batch.map { $0 }, Intake(speaker: speaker, site: site))
    }

    private func reduceQuickly<C: Collection>(contentsOf batch: C, _ route: Route<C.Element>) -> UInt64
    where C.Element: Relux.Action {
        var isAwaited = false
        let wasContiguous: Void? = batch.withContiguousStorageIfAvailable { actions in
            sequence &+= UInt64(actions.count)
            for index in 0..<actions.count where route.reduce(actions[index]) { isAwaited = true }
        }
        if wasContiguous == nil {
            for action in batch {
                sequence &+= 1
                if route.reduce(action) { isAwaited = true }
            }
        }
        if isAwaited { route.wakeReaders() }
        return sequence
    }

    /// Takes one action with everything that may concern it.
    @discardableResult
    @inline(never)
    func accept<A: Relux.Action>(_ action: A, _ intake: borrowing Intake) -> Taken {
        guard mayEnter(intake, with: action) else { return refused() }
        guard !middleware.isEmpty else { return commit(action, intake) }
        switch intercept(action, intake) {
        case .unchanged:
            return commit(action, intake)
        case .replaced(let replacement):
            return commit(replacement, intake)
        case .dropped:
            return Taken(disposition: .dropped)
        }
    }

    private func commit<A: Relux.Action>(_ action: A, _ intake: borrowing Intake) -> Taken {
        if let plain = routes[ObjectIdentifier(A.self)], plain._withUnsafeGuaranteedRef({ $0.isPlain }) {
            return plain._withUnsafeGuaranteedRef { commit(action, onPlain: $0, intake) }
        }
        var step = OpenStep()
        let route = route(at: ObjectIdentifier(A.self))
        let number = reduce(action, on: route, in: &step)
        follow(action, numbered: number, on: route, intake, in: &step)
        return finish(step, intake)
    }

    /// Takes an action that concerns nothing but reducers and observers: there is nothing to await or to settle.
    @inline(__always)
    private func commit<A: Relux.Action>(
        _ action: A, onPlain route: AnyRoute, _ intake: borrowing Intake
    ) -> Taken {
        sequence &+= 1
        // unsafeDowncast: `route(for:)` puts a route under the type of its own actions.
        let isAwaited = unsafeDowncast(route, to: Route<A>.self).reduce(action)
        if !observers.isEmpty { tellReduced(action, sequence, route, intake) }
        if isAwaited { route.wakeReaders() }
        return Taken(sequence: sequence)
    }

    /// Takes actions of any types in one step: all are reduced before anything else sees a result.
    ///
    /// - Complexity: O(n) in the number of actions, with a look-up each.
    func accept(batch: [any Relux.Action], _ intake: borrowing Intake) -> Taken {
        guard let first = batch.first else { return Taken() }
        guard mayEnter(intake, with: first) else {
            for action in batch.dropFirst() { _ = mayEnter(intake, with: action) }
            return refused()
        }
        var step = OpenStep()
        var followed: [(action: any Relux.Action, number: UInt64)] = []
        var isEveryActionDropped = true
        if middleware.isEmpty {
            isEveryActionDropped = false
            // By index: an action is opened where it stands, and not copied first.
            for index in batch.indices where !reduceOne(batch[index], in: &step) {
                followed.append((batch[index], sequence))
            }
        } else {
            for action in batch {
                var reduced = action
                switch intercept(action, intake) {
                case .unchanged: break
                case .replaced(let replacement): reduced = replacement
                case .dropped: continue
                }
                isEveryActionDropped = false
                if !reduceOne(reduced, in: &step) { followed.append((reduced, sequence)) }
            }
        }
        if !isEveryActionDropped { step.taken.sequence = sequence }
        for one in followed { followOne(one.action, numbered: one.number, intake, in: &step) }
        if isEveryActionDropped { step.taken.disposition = .dropped }
        return finish(step, intake)
    }

    /// Numbers an action of a batch and runs its reducers, and says whether that is all that it sets off.
    private func reduceOne<A: Relux.Action>(_ action: A, in step: inout OpenStep) -> Bool {
        sequence &+= 1
        guard let found = routes[ObjectIdentifier(A.self)] else { return false }
        return found._withUnsafeGuaranteedRef { route in
            // unsafeDowncast: `route(for:)` puts a route under the type of its own actions.
            let isAwaited = unsafeDowncast(route, to: Route<A>.self).reduce(action)
            if isAwaited, step.awaited.last !== route { step.awaited.append(route) }
            return route.isPlain && observers.isEmpty
        }
    }

    private func followOne<A: Relux.Action>(
        _ action: A, numbered number: UInt64, _ intake: borrowing Intake, in step: inout OpenStep
    ) {
        follow(action, numbered: number, on: route(at: ObjectIdentifier(A.self)), intake, in: &step)
    }

    /// What the caller hears of an action that didn't get in.
    private func refused() -> Taken {
        Taken(disposition: phase == .open ? .refused : .storeShutDown)
    }

    /// Decides whether whoever speaks may still write, and reports it if not.
    private func mayEnter<A: Relux.Action>(_ intake: borrowing Intake, with action: A) -> Bool {
        guard phase == .open else {
            report(.storeShutDown, action: action, at: intake.site)
            return false
        }
        return mayWrite(intake.speaker, action, at: intake.site)
    }

    /// The one place where it is decided whether a run may still write: inside the store, as the write comes.
    ///
    /// - Parameters:
    ///   - speaker: Who wants to write.
    ///   - action: What it wants to write; made only for the report.
    ///   - site: The line that asks.
    /// - Returns: Whether it may.
    func mayWrite(
        _ speaker: Speaker, _ action: @autoclosure () -> (any Relux.Action)? = nil, at site: Relux.CallSite?
    ) -> Bool {
        guard speaker.run != 0, !table.isLive(speaker.run) else { return true }
        guard let record = entries.at(speaker.run)?.pointee.record ?? speaker.handle?.record else { return true }
        report(.staleWrite(record), action: action(), at: site)
        return false
    }
}
