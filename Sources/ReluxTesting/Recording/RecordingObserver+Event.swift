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
        /// An action, a write or a call was refused.
        case refused(Relux.Refusal)
        /// A module came.
        case moduleRegistered(any Relux.Module.Type)
        /// A module went.
        case moduleUnregistered(any Relux.Module.Type)
        /// States went back to their initial values.
        case statesReset([any Relux.State.Type])

        /// The action, if one was reduced.
        public var actionReduced: Relux.ActionRecord? {
            if case .actionReduced(let record) = self { record } else { nil }
        }

        /// The run, if one started.
        public var runStarted: Relux.RunRecord? {
            if case .runStarted(let run) = self { run } else { nil }
        }

        /// The run, if one ended.
        public var runEnded: Relux.RunRecord? {
            if case .runEnded(let run, _, _) = self { run } else { nil }
        }

        /// The refusal, if something was refused.
        public var refused: Relux.Refusal? {
            if case .refused(let refusal) = self { refusal } else { nil }
        }

        /// What happened, on one line, such as `#3 Notes.State.Action.loaded([])` or `Notes.Saga #1 started`.
        ///
        /// It is the same in every process: it holds no address, and no order of a hash table.
        public var description: String {
            switch self {
            case .actionReduced(let record):
                let cause = record.cause.map { " from \(RunText.name($0))" } ?? ""
                return "#\(record.sequence) \(ActionText.line(record.action))\(cause)"
            case .runStarted(let run):
                return "\(RunText.name(run)) started"
            case .runEnded(let run, let outcome, let lateError):
                let late = lateError.map { ", then threw \(ErrorText.line($0))" } ?? ""
                return "\(RunText.name(run)) \(RunText.outcome(outcome))\(late)"
            case .refused(let refusal):
                return "refused: \(StableText.of(refusal))"
            case .moduleRegistered(let module):
                return "registered \(TypeName.short(module))"
            case .moduleUnregistered(let module):
                return "unregistered \(TypeName.short(module))"
            case .statesReset(let states):
                return "reset \(states.map { TypeName.short($0) }.joined(separator: ", "))"
            }
        }
    }

    /// A run, and how it ended if it has.
    public struct Run: Sendable {
        /// Which one.
        public let record: Relux.RunRecord

        /// How it ended; nil while it runs.
        public let outcome: Relux.RunOutcome?
    }
}

// MARK: - Looking at it

extension RecordingObserver {
    /// The actions that were reduced, with what is known of each, in order.
    public var records: [Relux.ActionRecord] { events.compactMap(\.actionReduced) }

    /// The actions that were reduced, in order.
    public var actions: [any Relux.Action] { records.map(\.action) }

    /// The actions of one type that were reduced, in order.
    ///
    /// - Parameter type: The type.
    /// - Returns: The actions.
    public func actions<A: Relux.Action>(of type: A.Type) -> [A] { actions.compactMap { $0 as? A } }

    /// The runs that started, in the order of their starts, and those that never did, at the place of their end.
    public var runs: [Run] {
        var order: [Relux.RunRecord] = []
        var outcomes: [Relux.RunRecord: Relux.RunOutcome] = [:]
        var known: Set<Relux.RunRecord> = []
        for event in events {
            guard let run = event.runStarted ?? event.runEnded else { continue }
            if known.insert(run).inserted { order.append(run) }
            if case .runEnded(_, let outcome, _) = event { outcomes[run] = outcome }
        }
        return order.map { Run(record: $0, outcome: outcomes[$0]) }
    }

    /// The runs of one saga, flow or watcher, in the order of ``runs``.
    ///
    /// - Parameter saga: Its type.
    /// - Returns: The runs.
    public func runs(of saga: Any.Type) -> [Run] { runs.filter { $0.record.saga == saga } }

    /// What was refused, in order.
    public var refusals: [Relux.Refusal] { events.compactMap(\.refused) }
}
