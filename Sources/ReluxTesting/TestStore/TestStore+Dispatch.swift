import Relux
import Testing

extension TestStore {
    /// Dispatches an action and runs the work that it triggers until nothing more can run.
    ///
    /// - Parameter changes: One closure for each state that this action changes. It turns the state before the action
    ///   into the state after it. A state without a closure must not change, unless exhaustivity is off.
    public nonisolated(nonsending) func dispatch<each S: Relux.State>(
        _ action: some Relux.Action,
        _ changes: repeat @escaping (inout each S) -> Void,
        fileID: StaticString = #fileID,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await dispatch(action, to: store, list(repeat each changes), fileID, sourceLocation)
    }

    /// - Parameter target: The store or a scope of it.
    nonisolated(nonsending) func dispatch(
        _ action: some Relux.Action, to target: some Relux.ActionDispatching, _ changes: [any AnyStateChange],
        _ fileID: StaticString, _ sourceLocation: SourceLocation
    ) async {
        let step = await makeStep(action, on: target, fileID, sourceLocation)
        check(step, changes, sourceLocation)
    }

    /// Makes a step.
    ///
    /// - Returns: The step that is to be checked; nil if the step has failed.
    private nonisolated(nonsending) func makeStep(
        _ action: some Relux.Action, on target: some Relux.ActionDispatching, _ fileID: StaticString,
        _ sourceLocation: SourceLocation
    ) async -> StepMade? {
        let line = UInt(sourceLocation.line)
        await expectNothingPending(before: ActionText.line(action), sourceLocation)
        let dispatched = try? await executor.value { await target.dispatch(action, fileID: fileID, line: line) }
        let step = dispatched?.sequence.flatMap { sequence in ledger.take { $0.record.sequence == sequence } }
        return await made(step, of: action, sourceLocation)
    }

    /// Dispatches one of a state's own actions, and states how it changes that state.
    ///
    /// - Parameter scope: Where the state is looked up, from there outward; nil for the root.
    nonisolated(nonsending) func dispatch<S: Relux.State>(
        _ action: S.Action, to target: some Relux.ActionDispatching, from scope: Relux.Scope?,
        _ change: (inout S) -> Void, _ fileID: StaticString, _ sourceLocation: SourceLocation
    ) async {
        let stated = StateChange<S>(in: scope)
        let step = await makeStep(action, on: target, fileID, sourceLocation)
        stated.withChange(change) { check(step, [stated], sourceLocation) }
    }

    /// Dispatches one of a state's own actions, and states how it changes that state.
    ///
    /// ```swift
    /// await store.dispatch(.up, to: Counter.State.self) { $0.count = 1 }
    /// ```
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - state: The state whose action it is.
    ///   - change: Turns the state before the action into the state after it. Other states must not change, unless
    ///     exhaustivity is off.
    public nonisolated(nonsending) func dispatch<S: Relux.State>(
        _ action: S.Action,
        to state: S.Type,
        _ change: (inout S) -> Void,
        fileID: StaticString = #fileID,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await dispatch(action, to: store, from: nil, change, fileID, sourceLocation)
    }

    /// Dispatches one of a state's own actions that changes nothing.
    ///
    /// - Parameters:
    ///   - action: The action. It must not change any state, unless exhaustivity is off.
    ///   - state: The state whose action it is.
    public nonisolated(nonsending) func dispatch<S: Relux.State>(
        _ action: S.Action,
        to state: S.Type,
        fileID: StaticString = #fileID,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await dispatch(action, fileID: fileID, sourceLocation: sourceLocation)
    }

    /// Performs an effect and runs the work that it triggers until nothing more can run.
    ///
    /// - Parameter changes: One closure for each state that this effect changes, as for
    ///   ``dispatch(_:_:fileID:sourceLocation:)``.
    /// - Returns: The performance. Its output is available once its runs have ended.
    @discardableResult
    public nonisolated(nonsending) func perform<E: Relux.Effect, each S: Relux.State>(
        _ effect: E,
        _ changes: repeat @escaping (inout each S) -> Void,
        fileID: StaticString = #fileID,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> Performance<E.Output> {
        await perform(effect, on: store, list(repeat each changes), fileID, sourceLocation)
    }

    /// - Parameter target: The store or a scope of it.
    nonisolated(nonsending) func perform<E: Relux.Effect>(
        _ effect: E, on target: some Relux.ActionDispatching, _ changes: [any AnyStateChange], _ fileID: StaticString,
        _ sourceLocation: SourceLocation
    ) async -> Performance<E.Output> {
        await expectNothingPending(before: ActionText.line(effect), sourceLocation)
        let line = UInt(sourceLocation.line)
        let result = Shared<Result<E.Output, Relux.EffectError>?>(nil)
        let isEndless = executor.isEndless
        let task = Task(executorPreference: executor, priority: .medium) {
            guard !isEndless else { return }
            do throws(Relux.EffectError) {
                let output = try await target.perform(effect, fileID: fileID, line: line)
                result.change { $0 = .success(output) }
            } catch {
                result.change { $0 = .failure(error) }
            }
        }
        await executor.rest()
        let taken = ledger.take { $0.record.isPerformed && $0.record.cause == nil }
        let step = await made(taken, of: effect, sourceLocation)
        check(step, changes, sourceLocation)
        let site = Relux.CallSite(fileID: fileID, line: line)
        let text = "\(ActionText.line(effect)), which the test performed at \(site)"
        let id = ledger.add(text, misdirection: step?.misdirection) {
            if case .failure(let error) = result.value { error } else { nil }
        }
        return Performance(id: id, effect: ActionText.line(effect), store: self, task: task, result: result)
    }

    /// States changes that no action made, such as those of a reset.
    ///
    /// - Parameter changes: One closure for each state that has changed since the last step.
    public nonisolated(nonsending) func changed<each S: Relux.State>(
        _ changes: repeat @escaping (inout each S) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await changed(list(repeat each changes), sourceLocation)
    }

    nonisolated(nonsending) func changed(_ stated: [any AnyStateChange], _ location: SourceLocation) async {
        await executor.rest()
        if !ledger.steps.isEmpty {
            await expectNothingPending(before: "this step", location)
            guard exhaustivity == .off, comesToRest(location) else { return }
        }
        check(await present(), stated, after: "Without an action", location)
    }

    func list<each S: Relux.State>(
        _ changes: repeat @escaping (inout each S) -> Void, from scope: Relux.Scope? = nil
    ) -> [any AnyStateChange] {
        var all: [any AnyStateChange] = []
        for change in repeat each changes { all.append(StateChange(in: scope, change)) }
        return all
    }

    /// Returns what is to be checked of a step; nil, and the step fails, if its action is missing.
    private nonisolated(nonsending) func made(
        _ step: TestLedger.Step?, of action: any Relux.Action, _ location: SourceLocation
    ) async -> StepMade? {
        guard comesToRest(location) else { return nil }
        if let step { return .taken(step, misdirection: await misdirection(of: step.record)) }
        if ledger.expectsRefusal { return .refused(action, leaving: await present()) }
        let refusals = recorder.refusals
        let own = refusals.last { $0.action.map { type(of: $0) == type(of: action) } ?? false } ?? refusals.last
        fail("\(ActionText.line(action)) wasn't reduced.\(own.map { "\n    \(StableText.of($0))" } ?? "")", location)
        return nil
    }

    /// Returns why an action was dispatched in the wrong scope; nil if it was taken, or if no instance takes it either.
    private nonisolated(nonsending) func misdirection(of record: Relux.ActionRecord) async -> String? {
        guard ledger.isUntaken(record.sequence) else { return nil }
        let action = type(of: record.action)
        let found = try? await executor.value { [store] in await store.read { $0.instances(taking: action) } }
        guard let instances = found, !instances.isEmpty else { return nil }
        let more = instances.count > 5 ? " and \(instances.count - 5) more" : ""
        let names = instances.prefix(5).map(\.description).joined(separator: ", ") + more
        return """
            Nothing takes it in \(record.scope?.description ?? "the root"), but it is taken in \(names). Make the step \
            there, with `scope(of:id:)`.
            """
    }

    private func check(_ step: StepMade?, _ changes: [any AnyStateChange], _ location: SourceLocation) {
        switch step {
        case .taken(let step, let misdirection):
            let isRefused = misdirection != nil && ledger.receive(refusalOf: step.record.sequence)
            check(
                step.after, adding: step.added, changes, after: "After \(step.description)",
                explainedBy: misdirection, isRefused: isRefused, location)
        case .refused(let action, let states):
            check(states, changes, after: "\(ActionText.line(action)) was refused", location)
        case nil: break
        }
    }

    /// Compares the states after a step with the known states and the stated changes.
    ///
    /// - Parameters:
    ///   - added: The first values of states that may have been added since the known ones; nil for the present ones.
    ///   - what: Says when the states were compared. It is evaluated only for a failure, because making a text takes
    ///     longer than a step.
    ///   - hint: A possible explanation of a difference.
    ///   - isRefused: Whether the step fails even if the states are as stated.
    func check(
        _ after: StateSnapshot, adding added: StateSnapshot? = nil, _ changes: [any AnyStateChange],
        after what: @autoclosure () -> String, explainedBy hint: String? = nil, isRefused: Bool = false,
        _ location: SourceLocation
    ) {
        let comparison =
            exhaustivity == .on
            ? StateComparison(before: ledger.known, adding: added ?? ledger.added, changes: changes, after: after)
            : StateComparison(changes: changes, after: after)
        ledger.know(after)
        guard isRefused || !comparison.paragraphs.isEmpty else { return }
        let paragraphs = ["\(what()):"] + (hint.map { [$0] } ?? []) + comparison.paragraphs
        fail(paragraphs.joined(separator: "\n\n"), location)
    }

    /// Returns the current states, once the work of the store has come to rest.
    func present() async -> StateSnapshot {
        await executor.rest()
        if let latest = ledger.latest { return latest }
        let known = ledger.known
        return (try? await executor.value { [store] in await store.read { StateSnapshot($0) } }) ?? known
    }

    func fail(_ text: String, _ location: SourceLocation) {
        Issue.record("\(text)", sourceLocation: location)
    }
}
