import Relux

extension Relux {
    /// Everything that a store did, in order: its actions with their causes, its runs, refusals and modules, and the
    /// changes of its states.
    ///
    /// A ``TraceRecorder`` records it, and its ``TraceRecorder/trace`` is a copy of what it has recorded so far. A
    /// trace from a file has the same contents as texts, and as values where they could be encoded and decoded.
    ///
    /// Values wrapped in ``Relux/Redacted`` never appear in a trace's texts, files, or pages.
    public struct Trace: Sendable {
        /// The subject of the trace; nil if it wasn't given.
        public var title: String?

        var entries: [TraceEntry]
        /// The earliest states that were kept.
        var base: [StateChange]
        /// The index of the entry before which these are the states.
        var baseIndex: Int
        /// The types of the actions and states, as they were when the trace was recorded.
        var types: TraceTypes
        /// Reducers that were given, in place of the recorded ones.
        var reductions: [ModuleDescription.Reduction] = []
        /// The modules that were registered before the first entry, in order.
        var modules: [RecordedModule] = []
        /// The number of earlier entries that were dropped.
        public internal(set) var dropped = 0

        /// The actions, in order.
        public var actions: [Action] {
            entries.compactMap { if case .action(let action) = $0.event { action } else { nil } }
        }

        /// The runs with their outcomes, in the order of their starts.
        public var runs: [Run] {
            var runs: [Run] = []
            var places: [UInt64: Int] = [:]
            for entry in entries {
                switch entry.event {
                case .runStarted(let run):
                    places[run.id] = runs.count
                    runs.append(run)
                case .runEnded(let run):
                    if let place = places[run.id] { runs[place] = run } else { runs.append(run) }
                default: break
                }
            }
            return runs
        }

        /// The trace as lines of text, one for each event, in which everything is escaped that could control a terminal
        /// or break the line.
        public var lines: [String] { entries.map { $0.event.line(at: $0.time).visible } }
    }
}

extension Relux.Trace: CustomStringConvertible {
    /// The lines of the trace.
    public var description: String { lines.joined(separator: "\n") }
}

/// One event of a trace.
struct TraceEntry: Sendable {
    let time: Duration
    let event: TraceEvent
    /// The states that the event concerns, as it left them.
    var states: [StateChange] = []
    /// The module that was registered, replaced, or unregistered, if this program has recorded it.
    var module: RecordedModule?
}

/// A module with its reducers from an event on.
struct RecordedModule: Sendable {
    let type: ObjectIdentifier
    /// Nil for the root.
    let scope: String?
    let reductions: [Relux.ModuleDescription.Reduction]
    /// Whether it was unregistered.
    var isGone = false
}

/// An event in a trace.
enum TraceEvent: Sendable {
    case action(Relux.Trace.Action)
    case runStarted(Relux.Trace.Run)
    case runEnded(Relux.Trace.Run)
    case refused(Relux.Trace.Refused)
    /// An error of a run that nobody received, as text.
    case failed(run: UInt64, name: String, String)
    /// A module was registered, replaced, or unregistered.
    case module(String, name: String, scope: String?)
    /// States returned to their initial values.
    case reset([String])
    case note(String)

    func line(at time: Duration) -> String {
        let at = "\(time.decimalText)  "
        func place(_ scope: String?) -> String { scope.map { " in \($0)" } ?? "" }
        switch self {
        case .action(let action):
            let cause = action.follows.map { " after #\($0)" } ?? action.cause.map { " from \($0.name)" } ?? ""
            return at + "#\(action.sequence) \(action.text)\(place(action.scope)) (\(action.callSite))\(cause)"
        case .runStarted(let run):
            return at + "\(run.name) started" + (run.trigger.map { " by #\($0)" } ?? "")
        case .runEnded(let run): return at + "\(run.name) \(run.outcome ?? "ended")"
        case .refused(let refused): return at + "refused: \(refused.text)"
        case .failed(_, let name, let text): return at + "\(name) failed, and nobody received: \(text)"
        case .module(let what, let name, let scope): return at + "\(what) \(name)\(place(scope))"
        case .reset(let names): return at + "reset \(names.joined(separator: ", "))"
        case .note(let text): return at + text
        }
    }
}

/// Identifies a state of a store by its type and the instance that owns it.
struct StateSlot: Sendable, Hashable {
    /// The type's name, without that of its module.
    let type: String
    /// Nil for the root.
    let scope: String?

    var text: String { type + (scope.map { " in \($0)" } ?? "") }
}

/// One state after an event.
struct StateChange: Sendable {
    let slot: StateSlot
    /// The value, if it was kept.
    var value: (any Relux.State)?
    /// The changes, if they are known without the value.
    var changes: [ValueChange]?
    /// Whether the state is new or was reset, so that there is nothing to compare it with.
    var isStart = false
    /// Whether the state was removed with its module.
    var isGone = false
    /// Whether an action before it in its step, whose reducer isn't known, may have made the change.
    var isShared = false
}
