import Relux

extension Relux {
    /// Gives the states of a trace at any point, and checks that its reducers are pure.
    ///
    /// ```swift
    /// let machine = Relux.TimeMachine(recorder.trace)
    /// let before: Items.State? = machine.state(at: 41)
    /// print(machine.verify())
    /// ```
    public struct TimeMachine: Sendable {
        /// The trace.
        public let trace: Trace
        /// The numbers of the actions with the states that they have left, in order.
        private let history: [StateSlot: [(sequence: UInt64, value: (any State)?)]]

        /// Creates a time machine.
        ///
        /// - Parameters:
        ///   - trace: A trace with states.
        ///   - modules: The modules whose reducers reduced the actions. A trace that was recorded in this process knows
        ///     them, and when each was registered, replaced, and unregistered.
        /// - Complexity: O(n) in the number of events.
        public init(_ trace: Trace, modules: [any Module] = []) {
            var trace = trace
            let given = ModuleDescription.reductions(of: modules)
            if !given.isEmpty { trace.reductions = given }
            trace.reduceAgain()
            self.trace = trace
            // The states before the first action are those at the number before it.
            var last = max(trace.actions.first?.sequence ?? 0, 1) - 1
            var next = last
            var history: [StateSlot: [(sequence: UInt64, value: (any State)?)]] = [:]
            func note(_ states: [StateChange], at sequence: UInt64) {
                for change in states { history[change.slot, default: []].append((sequence, change.value)) }
            }
            for (index, entry) in trace.entries.enumerated() {
                if index == trace.baseIndex { note(trace.base, at: last) }
                if case .action(let action) = entry.event {
                    last = action.sequence
                    note(entry.states, at: last)
                    next = min(last, .max - 1) + 1
                } else {
                    // Modules that a step opens and closes precede its actions.
                    note(entry.states, at: next)
                }
            }
            if trace.baseIndex == trace.entries.count { note(trace.base, at: last) }
            self.history = history
        }

        /// The value of a state as an action left it.
        ///
        /// A module that is registered or unregistered between two actions, and a reset, belong to the later one.
        ///
        /// - Parameters:
        ///   - type: The state.
        ///   - scope: The instance, as the description of its ``Scope`` says; nil for the root.
        ///   - sequence: The number of the action. 0 is before the first.
        /// - Returns: Nil if there was no such state then, or if the trace doesn't know its value.
        /// - Complexity: O(log n) in the number of changes of the state.
        public func state<S: State>(of type: S.Type = S.self, in scope: String? = nil, at sequence: UInt64) -> S? {
            let changes = history[StateSlot(type: shortName(of: S.self), scope: scope)] ?? []
            var (low, high) = (0, changes.count)
            while low < high {
                let middle = (low + high) / 2
                if changes[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
            }
            return low == 0 ? nil : changes[low - 1].value as? S
        }

        /// Reduces the trace again, each action twice from the state before it, and compares the results with each
        /// other and with the state that was recorded.
        ///
        /// - Complexity: O(n) in the number of events, with three reductions and comparisons each.
        public func verify() -> Verification {
            var current = TracePoint(beginning: trace)
            var result = Verification()
            let kept = Set(history.keys.map(\.type))
            for entry in trace.entries {
                if case .action(let action) = entry.event {
                    if !kept.isSuperset(of: action.states) { result.unrecorded.insert(action.type) }
                    for change in entry.states {
                        guard !change.isShared, let before = current[change.slot],
                            let first = current.reducing(before, in: change.slot, by: action),
                            let second = current.reducing(before, in: change.slot, by: action)
                        else {
                            result.unchecked[action.type, default: 0] += 1
                            continue
                        }
                        result.checked += 1
                        result.checkedTypes.insert(action.type)
                        let recorded = change.value
                        let isRecorded =
                            change.changes.map { $0 == ValueChange.between(before, first) }
                            ?? recorded.map { isEqual(first, $0) } ?? true
                        guard isEqual(first, second), isRecorded else {
                            let isRepeatable = isEqual(first, second)
                            result.impure = Verification.Finding(
                                action: action, state: change.slot.text,
                                differences: isRepeatable
                                    ? change.differences(from: first, before: before) : differingParts(second, first),
                                isRepeatable: isRepeatable
                            )
                            return result
                        }
                    }
                }
                current.apply(entry)
            }
            return result
        }

        /// The result of reducing a trace again.
        public struct Verification: Sendable, CustomStringConvertible {
            /// An action whose reducer gave a different state this time.
            public struct Finding: Sendable {
                /// The action.
                public let action: Trace.Action
                /// The state that its reducer changed.
                public let state: String
                /// The values in which the new state differs, such as `list[3].title: "Milk"`.
                public let differences: [String]
                /// Whether the reducer gave the same state twice now, although not the recorded one.
                public let isRepeatable: Bool
            }

            /// The number of reductions that gave the recorded state.
            public fileprivate(set) var checked = 0
            /// The number of changes that couldn't be checked, because the state before, the action, or the reducer,
            /// its own or that of an action before it in its step, isn't known.
            public var uncheckedCount: Int { unchecked.values.reduce(0, +) }
            /// The number of unchecked changes, by the type of the action.
            public fileprivate(set) var unchecked: [String: Int] = [:]
            /// The types of actions that reduced states of which the trace has no values, because the recorder keeps
            /// only others.
            package fileprivate(set) var unrecorded: Set<String> = []
            /// The types of actions of which at least one change was checked.
            package fileprivate(set) var checkedTypes: Set<String> = []
            /// The first action that doesn't give the same state again; nil if there is none.
            public fileprivate(set) var impure: Finding?

            /// Whether every checked reduction gave the same state again, and at least one was checked.
            public var isPure: Bool { impure == nil && checked > 0 }

            /// The result in a sentence, with the differences.
            public var description: String {
                guard let impure else {
                    let types = unchecked.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
                    let rest =
                        types.isEmpty
                        ? ""
                        : " Of these actions, the value, the reducer, or the state before isn't known: "
                            + "\(types.joined(separator: ", "))."
                    return checked > 0
                        ? "\(checked == 1 ? "1 reduction gives" : "\(checked) reductions give") the same states again.\(rest)"
                        : "Nothing was checked.\(rest)"
                }
                let how = impure.isRepeatable ? "another state than was recorded" : "another state each time"
                let action = "#\(impure.action.sequence) \(impure.action.text) (\(impure.action.callSite))"
                let lines = ["\(action) gives \(how) in \(impure.state):"] + impure.differences.map { "  \($0)" }
                return lines.map(\.visible).joined(separator: "\n")
            }
        }
    }
}

extension StateChange {
    /// In what a state that was reduced again differs from the recorded one, of which only the changes may be known.
    fileprivate func differences(from state: any Relux.State, before: any Relux.State) -> [String] {
        if let value { return differingParts(value, state) }
        let (recorded, new) = (changes ?? [], ValueChange.between(before, state))
        return new.filter { !recorded.contains($0) }.map(\.text)
            + recorded.filter { old in !new.contains { $0.path == old.path } }.map { "\(pathText($0.path)): unchanged" }
    }
}

private func differingParts(_ old: any Relux.State, _ new: any Relux.State) -> [String] {
    ValueChange.between(old, new).map(\.text)
}

extension ValueChange {
    fileprivate var text: String { "\(pathText(path)): \(new?.text ?? "nothing")" }
}
