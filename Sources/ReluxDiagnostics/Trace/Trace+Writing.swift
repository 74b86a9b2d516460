import Foundation
import Relux

extension Relux.Trace {
    /// The trace as JSON Lines. The first line is a header with the types of the actions, their cases, and the types of
    /// the states. Every other line is an event.
    ///
    /// Actions and states whose types are `Encodable` are also written as values, so that they can be reduced again,
    /// unless they contain a ``Relux/Relux/Redacted`` value. If a state has more than 4,096 bytes, only its first value
    /// and its changes are written.
    ///
    /// - Complexity: O(n) in the number of events and in what they changed.
    public var jsonLines: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var lines: [String] = []
        func write(_ line: some Encodable) {
            // Nothing in a line can fail: it has texts and whole numbers.
            guard let data = try? encoder.encode(line) else { return }
            lines.append(String(decoding: data, as: UTF8.self))
        }
        write(TraceHeader(title: title, dropped: dropped > 0 ? dropped : nil, types: types))
        // States that were too large once are not encoded again.
        var large: Set<StateSlot> = []
        forEachStep { entry, states in
            let states = states.map { state in
                var line = TraceLine.State(state)
                guard let value = state.value, state.isStart || !large.contains(state.slot) else { return line }
                line.value = json(value)
                if let text = line.value, text.utf8.count > 4_096 {
                    large.insert(state.slot)
                    if !state.isStart { line.value = nil }
                }
                return line
            }
            if let entry {
                write(TraceLine(entry, states))
            } else if !states.isEmpty {
                write(TraceLine(event: "start", states: states))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Writes the trace to a file as ``jsonLines``, replacing its contents, all or nothing.
    ///
    /// A symbolic link is followed. What isn't a regular file, such as a pipe or a device, is written to, not replaced.
    ///
    /// - Throws: Any error of the file system.
    public func write(to file: URL) throws {
        let data = Data(jsonLines.utf8)
        if file.isSpecial {
            try data.write(to: file)
        } else {
            try data.write(to: file.resolvingSymlinksInPath(), options: .atomic)
        }
    }
}

extension URL {
    /// Whether it leads to something that is neither a file nor a folder, such as a pipe or a device.
    var isSpecial: Bool {
        var status = stat()
        guard stat(path(percentEncoded: false), &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }
}

extension TraceLine {
    init(event: String, states: [State]) {
        self.event = event
        self.states = states
    }

    fileprivate init(_ entry: TraceEntry, _ states: [State]) {
        event = ""
        time = entry.time
        self.states = states.isEmpty ? nil : states
        switch entry.event {
        case .action(let action):
            event = "action"
            self.action = Action(action)
        case .runStarted(let run):
            event = "started"
            self.run = Run(run)
        case .runEnded(let run):
            event = "ended"
            self.run = Run(run)
        case .refused(let refused):
            event = "refused"
            self.refused = Refused(reason: refused.reason, text: refused.text, callSite: refused.callSite)
        case .failed(let run, let name, let text):
            (event, id, self.name, self.text) = ("failed", run, name, text)
        case .module(let what, let name, let scope):
            (event, text, self.name, self.scope) = ("module", what, name, scope)
        case .reset(let names): (event, self.names) = ("reset", names)
        case .note(let text): (event, self.text) = ("note", text)
        }
    }
}

extension TraceLine.Action {
    fileprivate init(_ action: Relux.Trace.Action) {
        self.init(
            sequence: action.sequence, type: action.type, text: action.text,
            value: action.value.flatMap { json($0) }, callSite: action.callSite,
            cause: action.cause.map {
                TraceLine.Cause(id: $0.id, name: $0.name, trigger: $0.trigger, callSite: $0.callSite)
            },
            follows: action.follows, scope: action.scope, states: action.states
        )
    }
}

extension TraceLine.Run {
    fileprivate init(_ run: Relux.Trace.Run) {
        self.init(
            id: run.id, kind: run.kind, saga: run.saga, name: run.name, trigger: run.trigger, callSite: run.callSite,
            scope: run.scope, start: run.startTime, end: run.endTime, outcome: run.outcome
        )
    }
}

extension TraceLine.State {
    fileprivate init(_ state: StateChange) {
        self.init(
            type: state.slot.type, scope: state.slot.scope, isStart: state.isStart ? true : nil,
            isGone: state.isGone ? true : nil, isShared: state.isShared ? true : nil,
            changes: state.changes?.map { TraceLine.Change(path: $0.path, new: $0.new, after: $0.after) }
        )
    }
}

/// A value as JSON; nil if it can't be encoded, or contains a value that must not appear in a trace.
private func json(_ value: Any) -> String? {
    guard let value = value as? any Encodable, !containsSecret(value) else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
}
