import Relux

extension Relux.Trace {
    /// Makes a trace from the log of a recorder.
    init(_ log: RecorderLog) {
        var scopes = ScopeNames()
        var time = Duration.zero
        var entries: [TraceEntry] = []
        var steps: [UInt64] = []
        var types = TraceTypes()
        func change(_ state: KeptState) -> StateChange {
            types.add(state: state.type)
            return StateChange(
                slot: StateSlot(type: TypeName(of: state.type).short, scope: scopes[state.scope]), value: state.value,
                isStart: state.isStart, isGone: state.value == nil
            )
        }
        baseIndex = log.startIndex
        // First, so that instances whose ids have the same text are named in their order.
        modules = log.modules.sorted { $0.value.number < $1.value.number }.map { key, value in
            RecordedModule(type: key.type, scope: scopes[key.scope], reductions: value.reductions)
        }
        base = log.base.values.map { change($0) }.sorted { $0.slot.text < $1.slot.text }
        for entry in log.entries.inOrder {
            let event: TraceEvent
            var step: UInt64 = 0
            var recorded: RecordedModule?
            switch entry.event {
            case .action(let record):
                (time, step) = (record.time, record.step)
                types.add(action: type(of: record.action))
                event = .action(Action(record, &scopes))
            case .started(let run):
                time = run.startTime ?? time
                event = .runStarted(Run(run, &scopes))
            case .ended(let run, let outcome, let late):
                time = run.endTime ?? time
                event = .runEnded(Run(run, outcome: outcomeText(outcome, late: late), &scopes))
            case .failed(let run, let error):
                event = .failed(run: run.id, name: run.description, errorText(error))
            case .refused(let refusal):
                time = refusal.time
                event = .refused(Refused(refusal))
            case .module(let what, let module, let scope, let reductions):
                event = .module(what, name: TypeName(of: module).short, scope: scopes[scope])
                recorded = RecordedModule(
                    type: ObjectIdentifier(module), scope: scopes[scope], reductions: reductions ?? [],
                    isGone: reductions == nil)
            case .reset(let types): event = .reset(types.map { TypeName(of: $0).short })
            case .note(let text): event = .note(text)
            }
            entries.append(
                TraceEntry(time: time, event: event, states: entry.states.map { change($0) }, module: recorded))
            steps.append(step)
        }
        self.entries = entries
        self.types = types
        dropped = log.entries.dropped
        splitSteps(steps)
    }

    /// Gives each action of a batch its own result.
    ///
    /// The store shows only the states after a whole step. Reducers are pure, so reducing the actions again, one by
    /// one, gives the states in between. From an action on whose reducer isn't known, such as a dismissal, the rest of
    /// the change is attributed to the last action of the step that touched the state.
    private mutating func splitSteps(_ steps: [UInt64]) {
        var current = TracePoint(beginning: self)
        var index = 0
        while index < entries.count {
            let step = steps[index]
            var end = index + 1
            if step != 0 {
                // Runs that the actions start are reported between them.
                var next = end
                while next < entries.count, steps[next] == step || (steps[next] == 0 && !isModule(next)) {
                    if steps[next] == step { end = next + 1 }
                    next += 1
                }
            }
            let actions = (index..<end).filter { steps[$0] == step }
            if step != 0, actions.count > 1 { split(actions, from: current) }
            for place in index..<end { current.apply(entries[place]) }
            index = end
        }
    }

    private func isModule(_ index: Int) -> Bool {
        if case .module = entries[index].event { true } else { false }
    }

    private mutating func split(_ places: [Int], from start: TracePoint) {
        var touching: [StateSlot: [(place: Int, index: Int)]] = [:]
        for place in places {
            for (index, state) in entries[place].states.enumerated() {
                touching[state.slot, default: []].append((place, index))
            }
        }
        for (slot, touching) in touching {
            guard touching.count > 1, let last = touching.last else { continue }
            var values: [any Relux.State] = []
            var value = start[slot]
            for (place, _) in touching {
                guard case .action(let action) = entries[place].event, let before = value,
                    let after = start.reducing(before, in: slot, by: action)
                else { break }
                values.append(after)
                value = after
            }
            for (number, (place, index)) in touching.dropLast().enumerated() {
                let isKnown = number < values.count
                entries[place].states[index].value = isKnown ? values[number] : values.last ?? start[slot]
                entries[place].states[index].isShared = !isKnown
            }
            entries[last.place].states[last.index].isShared = values.count < touching.count - 1
        }
    }
}

/// Whether two states are of one type and equal, apart from values that aren't equal to themselves.
func isEqual(_ one: (any Relux.State)?, _ other: (any Relux.State)?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return isSame(one, other)
}
