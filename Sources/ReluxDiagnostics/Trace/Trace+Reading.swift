import Foundation
import Relux

extension Relux.Trace {
    /// Reads a trace that ``jsonLines`` has written.
    ///
    /// Actions and states are decoded if their types are `Decodable` and exist in this program. The later states are
    /// then computed by reducing the actions again, as far as the reducers are known. They are kept if they agree with
    /// what was recorded.
    ///
    /// - Parameters:
    ///   - text: The lines.
    ///   - types: Types of actions and states, for those that the runtime doesn't find by name, such as private ones.
    ///   - modules: The modules whose reducers reduced the actions. Without them, only the states' own reducers are
    ///     known.
    /// - Throws: ``Relux/Relux/TraceError``. A program that has none of the trace's types gets a trace of texts only,
    ///   and its types are not compared.
    public init(
        jsonLines text: String, types: [Any.Type] = [], modules: [any Relux.Module] = []
    ) throws(Relux.TraceError) {
        // Mail and editors may have changed the ends of the lines.
        let lines = text.split { $0 == "\n" || $0 == "\r\n" }
        let decoder = JSONDecoder()
        guard let first = lines.first, let mark = try? decoder.decode(TraceMark.self, from: Data(first.utf8)),
            mark.relux == "trace"
        else { throw .notATrace }
        guard mark.version == TraceHeader.version else { throw .otherFormat(version: mark.version) }
        guard let header = try? decoder.decode(TraceHeader.self, from: Data(first.utf8)) else {
            throw .damaged(line: 1)
        }
        let differences = header.types.differences(knowing: types)
        guard differences.isEmpty else { throw .otherTypes(differences) }
        let values = ValueDecoder(header.types, types)
        var base: (states: [StateChange], index: Int) = ([], 0)
        var entries: [TraceEntry] = []
        for (index, line) in lines.enumerated().dropFirst() {
            guard let line = try? decoder.decode(TraceLine.self, from: Data(line.utf8)), line.hasPossiblePaths else {
                throw .damaged(line: index + 1)
            }
            let states = (line.states ?? []).map { values.state($0) }
            if line.event == "start" {
                base = (states, entries.count)
            } else if let event = values.event(line) {
                entries.append(TraceEntry(time: line.time ?? .zero, event: event, states: states))
            } else {
                throw .damaged(line: index + 1)
            }
        }
        self.init(title: header.title, entries: entries, base: base.states, baseIndex: base.index, types: header.types)
        dropped = header.dropped ?? 0
        // A state's own reducer comes before those of other modules, which depend on that of the state.
        reductions =
            values.stateTypes.compactMap { Relux.ModuleDescription.ownReduction(of: $0) }
            + Relux.ModuleDescription.reductions(of: modules).filter { !$0.isOwn }
        reduceAgain()
    }

    /// Reads a trace from a file.
    ///
    /// - Parameters:
    ///   - file: The file that ``write(to:)`` has written, or a pipe with its contents.
    ///   - types: Types of actions and states, for those that the runtime doesn't find by name.
    ///   - modules: The modules whose reducers reduced the actions.
    /// - Throws: ``Relux/Relux/TraceError``, or what the file system throws.
    public init(contentsOf file: URL, types: [Any.Type] = [], modules: [any Relux.Module] = []) throws {
        let data: Data
        if file.isSpecial {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            data = try handle.readToEnd() ?? Data()
        } else {
            data = try Data(contentsOf: file)
        }
        let text = String(decoding: data, as: UTF8.self)
        try self.init(jsonLines: text, types: types, modules: modules)
    }

    /// Computes missing values by reducing the earlier ones, as far as the reducers are known. Keeps those that agree
    /// with what was recorded.
    mutating func reduceAgain() {
        var current = TracePoint(beginning: self)
        for index in entries.indices {
            if case .action(let action) = entries[index].event {
                for place in entries[index].states.indices {
                    let change = entries[index].states[place]
                    guard change.value == nil, !change.isGone, let before = current[change.slot],
                        let after = current.reducing(before, in: change.slot, by: action),
                        change.changes.map({ $0 == ValueChange.between(before, after) }) ?? true
                    else { continue }
                    entries[index].states[place].value = after
                }
            }
            current.apply(entries[index])
        }
    }
}

extension TraceLine {
    /// Whether no path is longer than a recorder writes it. Longer ones could build a value of any depth.
    fileprivate var hasPossiblePaths: Bool {
        (states ?? []).allSatisfy { state in
            (state.changes ?? []).allSatisfy { $0.path.count <= ValueTree.depthLimit }
        }
    }
}

/// The part of the header that is the same in every version.
private struct TraceMark: Decodable {
    let relux: String
    let version: Int
}

/// Finds the values of a file's actions and states.
private struct ValueDecoder {
    private let actions: [String: any Relux.Action.Type]
    private let states: [String: any Relux.State.Type]
    private let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return decoder
    }()

    var stateTypes: [any Relux.State.Type] { states.sorted { $0.key < $1.key }.map(\.value) }

    init(_ types: TraceTypes, _ given: [Any.Type]) {
        let named = Dictionary(given.map { (shortName(of: $0), $0) }, uniquingKeysWith: { $1 })
        var actions: [String: any Relux.Action.Type] = [:]
        var states: [String: any Relux.State.Type] = [:]
        for entry in types.entries {
            let type = named[entry.name] ?? entry.type
            if entry.isState {
                states[entry.name] = type as? any Relux.State.Type
            } else {
                actions[entry.name] = type as? any Relux.Action.Type
            }
        }
        (self.actions, self.states) = (actions, states)
    }

    private func value(_ json: String?, _ type: Any.Type?) -> Any? {
        guard let json, let type = type as? any Decodable.Type else { return nil }
        return try? decoder.decode(type, from: Data(json.utf8))
    }

    func state(_ line: TraceLine.State) -> StateChange {
        StateChange(
            slot: StateSlot(type: line.type, scope: line.scope),
            value: value(line.value, states[line.type]) as? any Relux.State,
            changes: line.changes?.map { ValueChange(path: $0.path, new: $0.new, after: $0.after) },
            isStart: line.isStart ?? false, isGone: line.isGone ?? false, isShared: line.isShared ?? false
        )
    }

    func event(_ line: TraceLine) -> TraceEvent? {
        switch line.event {
        case "action":
            return line.action.map { action in
                .action(
                    Relux.Trace.Action(
                        sequence: action.sequence,
                        value: value(action.value, actions[action.type]) as? any Relux.Action, type: action.type,
                        callSite: action.callSite,
                        cause: action.cause.map {
                            Relux.Trace.RunReference(
                                id: $0.id, name: $0.name, trigger: $0.trigger, callSite: $0.callSite)
                        },
                        follows: action.follows, time: line.time ?? .zero, scope: action.scope, states: action.states,
                        storedText: action.text
                    )
                )
            }
        case "started": return line.run.map { .runStarted(Relux.Trace.Run($0)) }
        case "ended": return line.run.map { .runEnded(Relux.Trace.Run($0)) }
        case "refused":
            return line.refused.map {
                .refused(Relux.Trace.Refused(reason: $0.reason, text: $0.text, callSite: $0.callSite))
            }
        case "failed":
            let id = line.id ?? 0
            return .failed(run: id, name: line.name ?? "run #\(id)", line.text ?? "")
        case "module": return .module(line.text ?? "", name: line.name ?? "", scope: line.scope)
        case "reset": return .reset(line.names ?? [])
        case "note": return .note(line.text ?? "")
        default: return nil
        }
    }
}

extension Relux.Trace.Run {
    fileprivate init(_ run: TraceLine.Run) {
        self.init(
            id: run.id, kind: run.kind, saga: run.saga, name: run.name, trigger: run.trigger, callSite: run.callSite,
            scope: run.scope, startTime: run.start, endTime: run.end, outcome: run.outcome
        )
    }
}
