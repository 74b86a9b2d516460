extension Relux {
    /// What a store refuses to do, with what to do about it.
    public enum StoreError: Error, CustomStringConvertible {
        /// No registered module owns the state that was read.
        case stateNotOwned(any State.Type, at: CallSite)
        /// Two modules list the same type of state, or one lists it twice.
        case stateOwnedTwice(any State.Type, by: any Module.Type, and: any Module.Type)
        /// Two modules list a flow for the same effect, or one lists two.
        case effectAnsweredTwice(any Effect.Type, by: any Module.Type, and: any Module.Type)
        /// A module lists a reducer of a state that it neither owns nor depends on.
        case foreignReducer(of: any State.Type, on: any Action.Type, in: any Module.Type)
        /// Modules depend on each other in a circle: the first is also the last.
        case dependencyCircle([any Module.Type])
        /// The store had been shut down or released.
        case storeShutDown(at: CallSite)
        /// The run that asked had ended, or been cancelled or superseded.
        case staleRun(RunRecord, at: CallSite)

        /// What happened, where, and how to put it right.
        public var description: String {
            switch self {
            case .stateNotOwned(let state, let site):
                "No registered module owns \(name(state)) (\(site)). Register the module that lists it in `states`."
            case .stateOwnedTwice(let state, let module, let second) where module == second:
                "\(name(module)) lists \(name(state)) twice. A module has one state of a type: remove one."
            case .stateOwnedTwice(let state, let first, let second):
                "Both \(name(first)) and \(name(second)) list \(name(state)). A state belongs to one module: remove it "
                    + "from the other, and let that one depend on the owner."
            case .effectAnsweredTwice(let effect, let module, let second) where module == second:
                "\(name(module)) lists two flows for \(name(effect)). An effect has one answer: make one of them a saga, or "
                    + "give it an effect of its own."
            case .effectAnsweredTwice(let effect, let first, let second):
                "Both \(name(first)) and \(name(second)) list a flow for \(name(effect)). An effect has one answer: "
                    + "make the other one a saga, or give it an effect of its own."
            case .foreignReducer(let state, let action, let module):
                "\(name(module)) lists a reducer of \(name(state)) for \(name(action)), but neither owns that state "
                    + "nor depends on the module that does. Add that module to its `dependencies`."
            case .dependencyCircle(let modules):
                "These modules depend on each other in a circle: \(modules.map { name($0) }.joined(separator: " → ")). "
                    + "Move what they share into a module of its own."
            case .storeShutDown(let site):
                "The store was shut down or released before this call (\(site)). Keep it for as long as it is used."
            case .staleRun(let run, let site):
                "\(run) is over and can't change the store any more (\(site))."
            }
        }

        private func name(_ type: Any.Type) -> String { String(reflecting: type) }
    }

    /// A store that wasn't idle in time, or can't become idle for the one who waits.
    public struct NotIdle: Error, CustomStringConvertible {
        /// Why the wait ended.
        public enum Reason: Sendable, Hashable {
            /// The time was up.
            case limitReached(Duration)
            /// The waiting task was cancelled.
            case cancelled
            /// A run waited for the store's idleness, which can only come after its own end. The number is the run's.
            case calledFromRun(UInt64)
        }

        /// Where a busy run stands.
        public enum Standing: Sendable, Hashable {
            /// It waits for the time of its debounce or throttle.
            case pending
            /// It waits its turn.
            case queued
            /// It runs.
            case active
            /// It was cancelled or superseded, and its task hasn't ended yet.
            case ending
        }

        /// A run that keeps the store from being idle.
        public struct BusyRun: Sendable, CustomStringConvertible {
            /// The run.
            public let run: RunRecord
            /// Where it stands.
            public let standing: Standing
            /// The runs that it waits for, as far as the store knows.
            public let waitsFor: [RunRecord]

            /// `Notes.Saga #4 (active), set off at App/Notes.swift:12, waits for Notes.Load #5`.
            public var description: String {
                let waits = waitsFor.isEmpty ? "" : ", waits for \(waitsFor.map(\.description).joined(separator: ", "))"
                return "\(run) (\(standing)), set off at \(run.callSite)\(waits)"
            }
        }

        /// Why the wait ended.
        public let reason: Reason
        /// What was still at work, in the order of its making. Watchers don't count.
        public let busy: [BusyRun]

        /// Why the wait ended, and a line for each busy run.
        public var description: String {
            let head =
                switch reason {
                case .limitReached(let limit): "The store wasn't idle within \(limit.decimalText)."
                case .cancelled: "The wait for the store's idleness was cancelled."
                case .calledFromRun(let run):
                    "Run #\(run) waited for the store's idleness, which can only come after its own end."
                }
            return ([head] + busy.map { "  \($0)" }).joined(separator: "\n")
        }
    }
}
