/// One step of the total order: an action or a batch, from the middleware to the readers that it wakes.
extension Core {
    /// An action or a batch while it is being taken.
    struct OpenStep: ~Copyable {
        var taken = Taken()
        /// Routes with readers to wake.
        var awaited: [AnyRoute] = []
    }

    enum Intercepted {
        case unchanged
        case replaced(any Relux.Action)
        case dropped
    }

    /// Shows the action to the middleware.
    func intercept(_ action: any Relux.Action, _ intake: borrowing Intake) -> Intercepted {
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
    func reduce<A: Relux.Action>(_ action: A, on route: AnyRoute?, in step: inout OpenStep) -> UInt64 {
        sequence &+= 1
        step.taken.sequence = sequence
        guard let route else { return sequence }
        // unsafeDowncast: `route(for:)` puts a route under the type of its own actions.
        let isAwaited = unsafeDowncast(route, to: Route<A>.self).reduce(action)
        if isAwaited { step.awaited.append(route) }
        return sequence
    }

    /// Lets everybody know of a reduced action whom it concerns, and sets off its sagas.
    func follow<A: Relux.Action>(
        _ action: A, numbered number: UInt64, on route: AnyRoute?, _ intake: borrowing Intake, in step: inout OpenStep
    ) {
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
        let completion = openCompletion(intake, in: &step)
        if intake.output != nil, isAnswered { completion.answer = route.hasFlow ? .flow : .sagas }
        for index in typed.responders.indices { admit(action, to: typed.responder(at: index), completion, intake) }
    }

    func tellReduced<A: Relux.Action>(
        _ action: A, _ number: UInt64, _ route: AnyRoute?, _ intake: borrowing Intake
    ) {
        let record = Relux.ActionRecord(
            sequence: number, action: action, callSite: intake.site,
            cause: intake.cause?.record ?? entries.at(intake.speaker.run)?.pointee.record, time: clock.now(),
            states: route?.states ?? [],
            isPerformed: intake.output != nil
        )
        tell { observer in observer.actionReduced(record) }
        for observer in stateObservers {
            observer.actionReduced(record, leaving: Relux.StateReader(self))
        }
    }

    private func openCompletion(_ intake: borrowing Intake, in step: inout OpenStep) -> Completion {
        if let open = step.taken.completion { return open }
        let completion = intake.completion ?? Completion(group: engine.nextGroup(), engine)
        step.taken.completion = completion
        completions.set(completion.group, to: completion)
        table.openGroup(completion.group)
        return completion
    }

    /// Closes the step: what it set off can be awaited, and the readers wake.
    func finish(_ step: consuming OpenStep, _ intake: borrowing Intake) -> Taken {
        for route in step.awaited { route.wakeReaders() }
        if let completion = step.taken.completion {
            // Also a run that was superseded by what it performs: its task awaits that, and it can't end before.
            if intake.output != nil, intake.speaker.run != 0 {
                startWaiting(intake.speaker.run, for: completion, at: intake.site)
            }
            carryOut(table.sealGroup(completion.group))
        }
        settle()
        return step.taken
    }
}
