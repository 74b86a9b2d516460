import Foundation
import Relux

extension Relux.Trace {
    /// The trace as trace events in JSON, as Perfetto reads them (`ui.perfetto.dev`, or its trace processor).
    ///
    /// Actions are slices, on a track for each type of state that they reduce. Runs are asynchronous slices. Arrows
    /// lead from an action to the runs that it triggered, and from the point of a run at which it dispatched an action
    /// to that action. An action is shown as taking at least a microsecond, so that simultaneous actions appear one
    /// after another.
    ///
    /// - Complexity: O(n) in the number of events.
    public func perfetto() -> String {
        var writer = PerfettoWriter(
            title: title ?? "Relux store", triggers: Set(runs.compactMap(\.trigger) + actions.compactMap(\.follows)))
        for entry in entries { writer.add(entry) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Nothing in an event can fail to encode: it has texts and finite numbers.
        let data = try? encoder.encode(PerfettoFile(traceEvents: writer.events))
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

private struct PerfettoFile: Encodable {
    let displayTimeUnit = "ms"
    let traceEvents: [PerfettoEvent]
}

/// A trace event: the names are those of the format.
private struct PerfettoEvent: Encodable {
    struct LocalID: Encodable {
        let local: String
    }

    let ph: String
    let name: String
    var cat: String?
    var ts: Double?
    var dur: Double?
    let pid = 1
    var tid: Int?
    var id2: LocalID?
    var bindID: String?
    var flowIn: Bool?
    var flowOut: Bool?
    var args: [String: String]?

    enum CodingKeys: String, CodingKey {
        case ph, name, cat, ts, dur, pid, tid, id2, args
        case bindID = "bind_id"
        case flowIn = "flow_in"
        case flowOut = "flow_out"
    }
}

private struct PerfettoWriter {
    private(set) var events: [PerfettoEvent] = []
    private var tracks: [String: Int] = [:]
    /// The actions that triggered runs.
    private let triggers: Set<UInt64>
    private var causes: [UInt64: String] = [:]
    /// The time of the last action, and that of the last event: time doesn't go back, whatever the clock does.
    private var (last, latest) = (-1.0, 0.0)

    init(title: String, triggers: Set<UInt64>) {
        self.triggers = triggers
        events.append(PerfettoEvent(ph: "M", name: "process_name", args: ["name": title]))
    }

    private mutating func track(_ name: String) -> Int {
        if let known = tracks[name] { return known }
        let number = tracks.count + 1
        tracks[name] = number
        events.append(PerfettoEvent(ph: "M", name: "thread_name", tid: number, args: ["name": name]))
        return number
    }

    private func id(_ number: UInt64) -> String { "0x\(String(number, radix: 16))" }

    mutating func add(_ entry: TraceEntry) {
        let time = max(Double(entry.time.attoseconds) / 1e12, latest)
        latest = time
        switch entry.event {
        case .action(let action): add(action, at: max(time, last + 1))
        case .runStarted(let run): begin(run, at: time)
        case .runEnded(let run) where run.startTime != nil:
            events.append(
                PerfettoEvent(
                    ph: "e", name: run.saga, cat: "run", ts: time, id2: .init(local: id(run.id)),
                    args: ["outcome": run.outcome ?? "ended"]
                )
            )
        case .refused(let refused):
            instant(refused.reason, "refusal", at: time, on: "refused", ["text": refused.text])
        case .note(let text): instant(text, "note", at: time, on: "notes", [:])
        default: break
        }
    }

    private mutating func instant(
        _ name: String, _ category: String, at time: Double, on name2: String, _ args: [String: String]
    ) {
        events.append(PerfettoEvent(ph: "i", name: name, cat: category, ts: time, tid: track(name2), args: args))
    }

    private mutating func begin(_ run: Relux.Trace.Run, at time: Double) {
        var event = PerfettoEvent(
            ph: "b", name: run.saga, cat: "run", ts: time, id2: .init(local: id(run.id)),
            args: ["run": run.name, "kind": run.kind, "callSite": run.callSite]
        )
        if let trigger = run.trigger { (event.bindID, event.flowIn) = (id(trigger), true) }
        causes[run.id] = run.saga
        events.append(event)
    }

    private mutating func add(_ action: Relux.Trace.Action, at time: Double) {
        (last, latest) = (time, time)
        // The arrow from the run begins at a point of the run, which is a slice of its own.
        let cause = action.follows == nil ? action.cause : nil
        if let cause, let saga = causes[cause.id] {
            for (phase, isBeginning) in [("b", true), ("e", false)] {
                events.append(
                    PerfettoEvent(
                        ph: phase, name: "dispatches #\(action.sequence)", cat: "run", ts: time,
                        id2: .init(local: id(cause.id)), bindID: isBeginning ? id(action.sequence) : nil,
                        flowOut: isBeginning ? true : nil, args: isBeginning ? ["by": saga] : nil
                    )
                )
            }
        }
        let isCaused = cause.map { causes[$0.id] != nil } ?? false
        let isTrigger = triggers.contains(action.sequence)
        var event = PerfettoEvent(
            ph: "X", name: action.caseName.map { "\(action.type).\($0)" } ?? action.type, cat: "action", ts: time,
            dur: 1, tid: track(action.states.first ?? "no state"),
            args: ["sequence": "\(action.sequence)", "action": action.text, "callSite": action.callSite]
        )
        event.args?["follows"] = action.follows.map { "#\($0)" }
        if let followed = action.follows {
            // A slice of its own, because each has only one flow.
            events.append(
                PerfettoEvent(
                    ph: "X", name: "a rule on #\(followed)", cat: "rule", ts: time, dur: 1, tid: event.tid,
                    bindID: id(followed), flowIn: true))
        }
        if isCaused || isTrigger {
            event.bindID = id(action.sequence)
            event.flowIn = isCaused ? true : nil
            event.flowOut = isTrigger ? true : nil
        }
        events.append(event)
    }
}
