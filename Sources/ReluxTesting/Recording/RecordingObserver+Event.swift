import Relux

extension RecordingObserver {
    /// Something that a store reported.
    public enum Event: Sendable, CustomStringConvertible {
        /// An action was reduced.
        case actionReduced(Relux.ActionRecord)
        /// A run started.
        case runStarted(Relux.RunRecord)
        /// A run ended, or will never start.
        case runEnded(Relux.RunRecord, Relux.RunOutcome, lateError: (any Error)?)
        /// A run threw an error that nobody receives. If the run ends with it, its end follows.
        case failureUnreceived(of: Relux.RunRecord, any Error)
        /// An action, a write or a call was refused.
        case refused(Relux.Refusal)
        /// A module was registered, in an instance or, with nil, in the root.
        case moduleRegistered(any Relux.Module.Type, in: Relux.Scope?)
        /// A module was listed or registered again, and has another owner now.
        case moduleShared(any Relux.Module.Type)
        /// A module was replaced by another one of its type, in an instance or, with nil, in the root.
        case moduleReplaced(any Relux.Module.Type, in: Relux.Scope?)
        /// A module was unregistered, in an instance or, with nil, in the root.
        case moduleUnregistered(any Relux.Module.Type, in: Relux.Scope?)
        /// States were reset to their initial values.
        case statesReset([any Relux.State.Type])

        /// The action, if this event reports a reduced one.
        public var actionReduced: Relux.ActionRecord? {
            if case .actionReduced(let record) = self { record } else { nil }
        }

        /// The run, if this event reports its start.
        public var runStarted: Relux.RunRecord? {
            if case .runStarted(let run) = self { run } else { nil }
        }

        /// The run, if this event reports its end.
        public var runEnded: Relux.RunRecord? {
            if case .runEnded(let run, _, _) = self { run } else { nil }
        }

        /// The error, if this event reports one that nobody receives.
        public var failureUnreceived: (any Error)? {
            if case .failureUnreceived(_, let error) = self { error } else { nil }
        }

        /// The refusal, if this event reports one.
        public var refused: Relux.Refusal? {
            if case .refused(let refusal) = self { refusal } else { nil }
        }

        /// The event on one line, such as `#3 Notes.State.Action.loaded([])` or `Notes.Saga #1 started`.
        ///
        /// It is the same in every process: it contains no address and doesn't depend on the order of a hash table.
        public var description: String {
            switch self {
            case .actionReduced(let record):
                let cause = record.cause.map { " from \(RunText.name($0))" } ?? ""
                return "#\(record.sequence) \(ActionText.line(record.action))\(Self.place(record.scope))\(cause)"
            case .runStarted(let run):
                return "\(RunText.name(run)) started"
            case .runEnded(let run, let outcome, let lateError):
                let late = lateError.map { ", then threw \(ErrorText.line($0))" } ?? ""
                return "\(RunText.name(run)) \(RunText.outcome(outcome))\(late)"
            case .failureUnreceived(let run, let error):
                return "nobody receives the error of \(RunText.name(run)): \(ErrorText.line(error))"
            case .refused(let refusal):
                return "refused: \(StableText.of(refusal))"
            case .moduleRegistered(let module, let scope):
                return "registered \(TypeName.short(module))\(Self.place(scope))"
            case .moduleShared(let module):
                return "shared \(TypeName.short(module))"
            case .moduleReplaced(let module, let scope):
                return "replaced \(TypeName.short(module))\(Self.place(scope))"
            case .moduleUnregistered(let module, let scope):
                return "unregistered \(TypeName.short(module))\(Self.place(scope))"
            case .statesReset(let states):
                return "reset \(states.map { TypeName.short($0) }.joined(separator: ", "))"
            }
        }

        private static func place(_ scope: Relux.Scope?) -> String { scope.map { " in \($0)" } ?? "" }
    }

    /// A run, with its outcome if it has ended.
    public struct Run: Sendable {
        /// The run's record.
        public let record: Relux.RunRecord

        /// The run's outcome; nil while the run is active.
        public let outcome: Relux.RunOutcome?
    }
}

// MARK: - Inspecting

extension RecordingObserver {
    /// The records of the actions that were reduced, in order.
    public var records: [Relux.ActionRecord] { events.compactMap(\.actionReduced) }

    /// The actions that were reduced, in order.
    public var actions: [any Relux.Action] { records.map(\.action) }

    /// Returns the actions of one type that were reduced, in order.
    public func actions<A: Relux.Action>(of type: A.Type) -> [A] { actions.compactMap { $0 as? A } }

    /// The runs in the order in which they started.
    ///
    /// A run that never started is listed at the position of its end.
    ///
    /// Runs of different stores may have the same id. If they also belong to the same saga, and have started at the
    /// same time on their stores' clocks, the first end is taken for that of the first one.
    public var runs: [Run] {
        var runs: [Run] = []
        // The places of the runs that have started and not ended.
        var open: [Relux.RunRecord: [Int]] = [:]
        for event in events {
            if let run = event.runStarted {
                open[run, default: []].append(runs.count)
                runs.append(Run(record: run, outcome: nil))
            } else if case .runEnded(let run, let outcome, _) = event {
                let index = open[run]?.firstIndex { runs[$0].record.startTime == run.startTime }
                if let index, let place = open[run]?.remove(at: index) {
                    runs[place] = Run(record: runs[place].record, outcome: outcome)
                } else {
                    runs.append(Run(record: run, outcome: outcome))
                }
            }
        }
        return runs
    }

    /// Returns the runs of one saga, flow or watcher, in the order of ``runs``.
    public func runs(of saga: Any.Type) -> [Run] { runs.filter { $0.record.saga == saga } }

    /// The errors that nobody received, in order.
    public var failures: [any Error] { events.compactMap(\.failureUnreceived) }

    /// The refusals, in order.
    public var refusals: [Relux.Refusal] { events.compactMap(\.refused) }
}
