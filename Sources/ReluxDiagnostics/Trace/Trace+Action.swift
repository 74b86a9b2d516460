import Relux

extension Relux.Trace {
    /// An action of a trace.
    public struct Action: Sendable {
        /// Its place in the store's total order.
        public let sequence: UInt64
        /// The action, if its value is known. This is always so in the program that recorded it. In a trace from a
        /// file, the type must be `Codable` and exist in the program.
        public internal(set) var value: (any Relux.Action)?
        /// The name of its type, without that of its module.
        public let type: String
        /// The line that dispatched, sent, or performed it.
        public let callSite: String
        /// The run that it came from, by way of ``follows`` if a rule added it; nil if it came from outside.
        public let cause: RunReference?
        /// If a rule added the action, the number of the action that the rule responded to.
        public let follows: UInt64?
        /// When it was reduced, since the store was created.
        public let time: Duration
        /// The instance that took it; nil for the root.
        public let scope: String?
        /// The names of the states whose reducers ran.
        public let states: [String]

        let storedText: String?
        /// The instance that took it and those around it, from the inside out. Empty for the root, and in a trace from
        /// a file.
        var path: [Level] = []

        /// An instance, with the name of the scope around it.
        struct Level: Sendable {
            let instance: Relux.ModuleDescription.Instance
            /// Nil for the root.
            let outside: String?
        }

        /// The action with its type on one line, such as `Notes.State.Action.loaded([])`.
        public var text: String { storedText ?? value.map { actionText($0) } ?? type }

        /// The name of an enum's case; nil for other actions.
        public var caseName: String? {
            let rest = text.hasPrefix(type) ? text.dropFirst(type.count) : ""
            return rest.first == "." ? String(rest.dropFirst().prefix { $0 != "(" }) : nil
        }
    }

    /// The run that caused an action.
    public struct RunReference: Sendable, Hashable {
        /// The number of the run.
        public let id: UInt64
        /// The run as text, such as `Notes.Saga #4`.
        public let name: String
        /// The number of the action that triggered the run; nil for a watcher.
        public let trigger: UInt64?
        /// The line that dispatched the trigger, or registered the watcher.
        public let callSite: String
    }

    /// A run of a trace.
    public struct Run: Sendable {
        /// The number of the run. Later runs have higher numbers.
        public let id: UInt64
        /// The kind of work: `saga`, `flow`, `watcher`, `timeout`, `save`, or `load`.
        public let kind: String
        /// The name of the saga, flow, or watcher.
        public let saga: String
        /// The run as text, such as `Notes.Saga #4`.
        public let name: String
        /// The number of the action that triggered it; nil for a watcher.
        public let trigger: UInt64?
        /// The line that dispatched the trigger, or registered the watcher.
        public let callSite: String
        /// The instance in which it is registered; nil for the root.
        public let scope: String?
        /// When it started; nil if it never did.
        public let startTime: Duration?
        /// When it ended; nil if it hasn't.
        public let endTime: Duration?
        /// How it ended, such as `finished` or `failed: offline`; nil if it hasn't.
        public let outcome: String?
    }

    /// Something that the store refused.
    public struct Refused: Sendable {
        /// The reason, such as `staleWrite`.
        public let reason: String
        /// A message that says what happened and how to fix it.
        public let text: String
        /// The line of the refused call, if it is known.
        public let callSite: String?
    }
}

/// An action with its type on one line.
func actionText(_ action: any Relux.Action) -> String {
    let type = TypeName(of: Swift.type(of: action)).short
    switch ValueTree(of: action) {
    case .leaf(let text):
        return text.hasPrefix(".") ? type + text : text.hasPrefix("\(type)(") ? text : "\(type)(\(text))"
    case .branch(let name, let parts):
        let text = ValueTree.branch(name.hasPrefix(".") ? name : "", parts).text
        return type + text
    }
}

extension Relux.Trace.Action {
    init(_ record: Relux.ActionRecord, _ scopes: inout ScopeNames) {
        self.init(
            sequence: record.sequence, value: record.action, type: TypeName(of: Swift.type(of: record.action)).short,
            callSite: record.callSite.description, cause: record.cause.map { Relux.Trace.RunReference($0) },
            follows: record.follows, time: record.time, scope: scopes[record.scope],
            states: record.states.map { TypeName(of: $0).short }, storedText: nil, path: scopes.path(to: record.scope)
        )
    }
}

extension Relux.Trace.RunReference {
    init(_ run: Relux.RunRecord) {
        self.init(
            id: run.id, name: run.description, trigger: run.triggerSequence, callSite: run.callSite.description
        )
    }
}

extension Relux.Trace.Run {
    init(_ run: Relux.RunRecord, outcome: String? = nil, _ scopes: inout ScopeNames) {
        self.init(
            id: run.id, kind: "\(run.kind)", saga: TypeName(of: run.saga).short, name: run.description,
            trigger: run.triggerSequence, callSite: run.callSite.description, scope: scopes[run.scope],
            startTime: run.startTime, endTime: run.endTime, outcome: outcome
        )
    }
}

extension Relux.Trace.Refused {
    init(_ refusal: Relux.Refusal) {
        let reason = Mirror(reflecting: refusal.reason).children.first?.label ?? "\(refusal.reason)"
        self.init(reason: reason, text: refusal.description, callSite: refusal.callSite?.description)
    }
}

/// The names of instances, each made once. Instances whose ids have the same text are told apart by numbers.
struct ScopeNames {
    private var names: [Relux.Scope: String] = [:]
    private var counts: [String: Int] = [:]

    subscript(scope: Relux.Scope?) -> String? {
        mutating get {
            guard let scope else { return nil }
            if let name = names[scope] { return name }
            let count = counts[scope.description, default: 0] + 1
            counts[scope.description] = count
            let name = scope.description + (count > 1 ? " (\(count))" : "")
            names[scope] = name
            return name
        }
    }
}

extension ScopeNames {
    /// The instances that lead to a scope, from the inside out.
    mutating func path(to scope: Relux.Scope?) -> [Relux.Trace.Action.Level] {
        var path: [Relux.Trace.Action.Level] = []
        var next = scope
        while let scope = next, let instance = Relux.ModuleDescription.Instance(scope) {
            next = scope.enclosing
            path.append(.init(instance: instance, outside: self[next]))
        }
        return path
    }
}

/// The error of a run as text, without line breaks.
func errorText(_ error: any Error) -> String {
    ValueTree(of: error).text.replacing("\n", with: "\\n")
}

/// How a run ended, as text.
func outcomeText(_ outcome: Relux.RunOutcome, late error: (any Error)? = nil) -> String {
    var text = outcome.description
    if case .failed(let error) = outcome { text = "failed: \(errorText(error))" }
    return text + (error.map { ", then threw \(errorText($0))" } ?? "")
}
