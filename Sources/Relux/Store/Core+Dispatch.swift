/// How an action comes in.
struct Intake {
    var speaker = Speaker.outside
    let site: Relux.CallSite
    /// Given by `perform`, which awaits it; else one is made when the action sets something off.
    var completion: Completion?
    /// The output that `perform` promises; nil for all other verbs.
    var output: Any.Type?
    /// The run that an action of the store's own comes from: it was cancelled, and this tidies up.
    var cause: Relux.RunRecord?

    init(speaker: Speaker = .outside, site: Relux.CallSite) {
        self.speaker = speaker
        self.site = site
    }
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
    /// Takes an action from a caller that waits until it has been reduced.
    ///
    /// - Complexity: O(1), apart from the reducers, sagas and waiting readers of this very type of action.
    func dispatch<A: Relux.Action>(_ action: A, by speaker: Speaker, at site: Relux.CallSite) -> Taken {
        if mailbox.isOccupied { collect() }
        return take(action, by: speaker, at: site)
    }

    /// Takes an action: the short way where it concerns nothing but reducers.
    @discardableResult
    func take<A: Relux.Action>(_ action: A, by speaker: Speaker, at site: Relux.CallSite) -> Taken {
        if isQuick, !isStepping, speaker.run == 0 || table.isLive(speaker.run),
            let found = routes[ObjectIdentifier(A.self)]
        {
            let quick: UInt64? = found._withUnsafeGuaranteedRef { route in
                guard route.isPlain else { return nil }
                // unsafeDowncast: `route(for:)` puts a route under the type of its own actions.
                return reduceQuickly(action, unsafeDowncast(route, to: Route<A>.self))
            }
            if let quick { return Taken(sequence: quick) }
        }
        return accept(action, Intake(speaker: speaker, site: site))
    }

    private func reduceQuickly<A: Relux.Action>(_ action: A, _ route: Route<A>) -> UInt64 {
        isStepping = true
        sequence &+= 1
        let isAwaited = route.reduce(action)
        isStepping = false
        if isAwaited { route.wakeReaders() }
        return sequence
    }

    /// Takes actions of one type in one step.
    ///
    /// - Complexity: O(n) in the number of actions, with one look-up for all.
    func dispatch<C: Collection>(contentsOf batch: C, by speaker: Speaker, at site: Relux.CallSite) -> Taken
    where C.Element: Relux.Action {
        if mailbox.isOccupied { collect() }
        if isQuick, !isStepping, speaker.run == 0 || table.isLive(speaker.run), !batch.isEmpty,
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
        isStepping = true
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
        isStepping = false
        if isAwaited { route.wakeReaders() }
        return sequence
    }

    /// Takes one action with everything that may concern it.
    @discardableResult
    func accept<A: Relux.Action>(_ action: A, _ intake: Intake) -> Taken {
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

    private func commit<A: Relux.Action>(_ action: A, _ intake: Intake) -> Taken {
        var step = OpenStep(intake: intake)
        let number = reduce(action, on: route(at: ObjectIdentifier(A.self)), in: &step)
        follow(action, numbered: number, in: &step)
        return finish(&step)
    }

    /// Takes actions of any types in one step: all are reduced before anything else sees a result.
    ///
    /// - Complexity: O(n) in the number of actions, with a look-up each.
    func accept(batch: [any Relux.Action], _ intake: Intake) -> Taken {
        guard let first = batch.first else { return Taken() }
        guard mayEnter(intake, with: first) else {
            for action in batch.dropFirst() { _ = mayEnter(intake, with: action) }
            return refused()
        }
        var step = OpenStep(intake: intake)
        var followed: [(action: any Relux.Action, number: UInt64)] = []
        var isEveryActionDropped = true
        for action in batch {
            var reduced = action
            if !middleware.isEmpty {
                switch intercept(action, intake) {
                case .unchanged: break
                case .replaced(let replacement): reduced = replacement
                case .dropped: continue
                }
            }
            isEveryActionDropped = false
            let (number, isDone) = reduceOne(reduced, in: &step)
            if !isDone { followed.append((reduced, number)) }
        }
        for one in followed { follow(one.action, numbered: one.number, in: &step) }
        if isEveryActionDropped { step.taken.disposition = .dropped }
        return finish(&step)
    }

    private func reduceOne<A: Relux.Action>(_ action: A, in step: inout OpenStep) -> (number: UInt64, isDone: Bool) {
        let route = route(at: ObjectIdentifier(A.self))
        let number = reduce(action, on: route, in: &step)
        return (number, observers.isEmpty && route?.isPlain == true)
    }

    /// What the caller hears of an action that didn't get in.
    private func refused() -> Taken {
        Taken(disposition: phase == .open ? .refused : .storeShutDown)
    }

    /// Decides whether whoever speaks may still write, and reports it if not.
    private func mayEnter<A: Relux.Action>(_ intake: Intake, with action: A) -> Bool {
        if isStepping {
            report(.reentered, action: action, at: intake.site)
            engine.post(.action(action, intake.speaker, intake.site))
            return false
        }
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
        guard let record = entries[speaker.run]?.record ?? speaker.identity?.record else { return true }
        report(.staleWrite(record), action: action(), at: site)
        return false
    }
}

// MARK: - A step

extension Core {
    /// An action or a batch while it is being taken.
    struct OpenStep {
        let intake: Intake
        var taken = Taken()
        /// Routes with readers to wake.
        var awaited: [AnyRoute] = []

        init(intake: Intake) {
            self.intake = intake
        }
    }

    private enum Intercepted {
        case unchanged
        case replaced(any Relux.Action)
        case dropped
    }

    /// Shows the action to the middleware.
    private func intercept(_ action: any Relux.Action, _ intake: Intake) -> Intercepted {
        isStepping = true
        defer { isStepping = false }
        var current = action
        var isReplaced = false
        for one in middleware {
            switch one.intercept(current, Relux.StateReader(self)) {
            case .proceed:
                continue
            case .drop(let reason):
                report(.droppedByMiddleware(reason: reason), action: current, at: intake.site)
                return .dropped
            case .replace(let replacement):
                guard intake.output == nil || intake.output == outputType(of: replacement) else {
                    report(.replacementWithoutOutput(replacement), action: current, at: intake.site)
                    return .dropped
                }
                current = replacement
                isReplaced = true
            }
        }
        return isReplaced ? .replaced(current) : .unchanged
    }

    private func outputType(of action: any Relux.Action) -> Any.Type? {
        func opened<E: Relux.Effect>(_ effect: E) -> Any.Type { E.Output.self }
        return (action as? any Relux.Effect).map { opened($0) }
    }

    /// Numbers an action and runs its reducers.
    private func reduce<A: Relux.Action>(_ action: A, on route: AnyRoute?, in step: inout OpenStep) -> UInt64 {
        sequence &+= 1
        step.taken.sequence = sequence
        guard let route else { return sequence }
        isStepping = true
        // unsafeDowncast: `route(for:)` puts a route under the type of its own actions.
        let isAwaited = unsafeDowncast(route, to: Route<A>.self).reduce(action)
        isStepping = false
        if isAwaited { step.awaited.append(route) }
        return sequence
    }

    /// Lets everybody know of a reduced action whom it concerns, and sets off its sagas.
    private func follow<A: Relux.Action>(_ action: A, numbered number: UInt64, in step: inout OpenStep) {
        let route = route(at: ObjectIdentifier(A.self))
        let intake = step.intake
        if !observers.isEmpty { tellReduced(action, number, route, intake) }
        let isEffect = route?.isEffect ?? (A.self is any Relux.Effect.Type)
        let isAnswered = intake.output == nil || intake.output == Void.self || route?.hasFlow == true
        if isEffect ? route?.responders.isEmpty != false || !isAnswered : route?.isUnused != false {
            step.taken.disposition = .unhandled
            report(isEffect ? .effectNotTaken : .actionNotTaken, action: action, at: intake.site)
        }
        guard let route else { return }
        // unsafeDowncast: `route(for:)` puts a route under the type of its own actions.
        let typed = unsafeDowncast(route, to: Route<A>.self)
        if !route.streams.isEmpty { typed.deliver(action) }
        guard !route.responders.isEmpty else { return }
        let completion = openCompletion(in: &step)
        if intake.output != nil, isAnswered { completion.answer = route.hasFlow ? .flow : .sagas }
        typed.forEachResponder { admit(action, to: $0, completion, intake) }
    }

    private func tellReduced<A: Relux.Action>(_ action: A, _ number: UInt64, _ route: AnyRoute?, _ intake: Intake) {
        let record = Relux.ActionRecord(
            sequence: number, action: action, callSite: intake.site,
            cause: intake.cause ?? entries[intake.speaker.run]?.record, time: clock.now(), states: route?.states ?? [],
            isPerformed: intake.output != nil
        )
        tell { observer, _ in observer.actionReduced(record) }
        for observer in stateObservers {
            reading { observer.actionReduced(record, leaving: Relux.StateReader(self)) }
        }
    }

    private func openCompletion(in step: inout OpenStep) -> Completion {
        if let open = step.taken.completion { return open }
        let completion =
            step.intake.completion ?? Completion(group: engine.nextGroup(), engine)
        step.taken.completion = completion
        completions[completion.group] = completion
        table.openGroup(completion.group)
        return completion
    }

    /// Closes the step: what it set off can be awaited, and the readers wake.
    private func finish(_ step: inout OpenStep) -> Taken {
        for route in step.awaited { route.wakeReaders() }
        if let completion = step.taken.completion {
            // Also a run that was superseded by what it performs: its task awaits that, and it can't end before.
            if step.intake.output != nil, step.intake.speaker.run != 0 {
                startWaiting(step.intake.speaker.run, for: completion, at: step.intake.site)
            }
            carryOut(table.sealGroup(completion.group))
        }
        settle()
        return step.taken
    }

    // MARK: Routes

    /// The route of a type of action, if anything takes it.
    func existingRoute<A: Relux.Action>(for action: A.Type) -> Route<A>? {
        // unsafeDowncast: `route(for:)` puts a route under the type of its own actions.
        route(at: ObjectIdentifier(action)).map { unsafeDowncast($0, to: Route<A>.self) }
    }

    private func route(at key: ObjectIdentifier) -> AnyRoute? {
        routes[key]?.takeUnretainedValue()
    }

    /// The route of a type of action, made if there is none.
    func route<A: Relux.Action>(for action: A.Type) -> Route<A> {
        if let existing = existingRoute(for: action) { return existing }
        lastRoute += 1
        let made = Route<A>(serial: lastRoute)
        routeOwner[ObjectIdentifier(action)] = made
        routes[ObjectIdentifier(action)] = .passUnretained(made)
        return made
    }

    /// Forgets a route that nothing needs any more.
    func dropIfUnused(routeOf action: ObjectIdentifier) {
        guard routeOwner[action]?.isUnused == true else { return }
        routes[action] = nil
        routeOwner[action] = nil
    }
}
