import Foundation
import Relux

extension Relux.Trace {
    /// The trace as one HTML page, which needs no other files and no network. It shows lanes for states and sagas, the
    /// events with their changes, arrows from causes to effects, and the states at every point.
    ///
    /// The page is driven by keyboard, mouse, and screen reader, and follows the system's light or dark appearance.
    ///
    /// - Parameter lead: A text for the top of the page, such as a failure.
    /// - Complexity: O(n) in the number of events and in what they changed.
    public func timeline(lead: String? = nil) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // Nothing in it can fail to encode: it has texts and finite numbers.
        let data = (try? encoder.encode(TimelineData(self, lead: lead))) ?? Data()
        return TimelinePage.filled([
            "title": title ?? "What the store did",
            "style": TimelinePage.style,
            "script": TimelinePage.script,
            // A text in the trace must not end the element.
            "data": String(decoding: data, as: UTF8.self).replacing("<", with: "\\u003c"),
        ])
    }
}

/// The files of the page.
private enum TimelinePage {
    static let page = String(decoding: PackageResources.timeline_html, as: UTF8.self)
    static let style = String(decoding: PackageResources.timeline_css, as: UTF8.self)
    static let script = String(decoding: PackageResources.timeline_js, as: UTF8.self)

    /// The page with its `{{names}}` replaced. Replacements are not searched again.
    static func filled(_ parts: [String: String]) -> String {
        var rest = page[...]
        var text = ""
        while let opening = rest.firstRange(of: "{{"), let closing = rest[opening.upperBound...].firstRange(of: "}}") {
            let name = String(rest[opening.upperBound..<closing.lowerBound])
            text += rest[..<opening.lowerBound]
            text += name == "title" ? escaped(parts[name] ?? "") : parts[name] ?? ""
            rest = rest[closing.upperBound...]
        }
        return text + rest
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}

/// The data for the page's script. `timeline.js` describes the format.
private struct TimelineData: Encodable {
    let dropped: Int
    let lead: String?
    /// The event that is chosen first: the last one that touched a state; -1 for the first action.
    let focus: Int
    let lanes: [String]
    let types: [String]
    let sites: [String]
    let slots: [String]
    let start: [TimelineCell]
    let events: [TimelineCell]
    let runs: [String: TimelineCell]

    init(_ trace: Relux.Trace, lead: String?) {
        var lanes = Names()
        var types = Names()
        var sites = Names()
        var slots = Names()
        var start: [TimelineCell] = []
        var events: [TimelineCell] = []
        var lastChange = -1
        func seconds(_ time: Duration) -> TimelineCell {
            .number(Double(time.attoseconds) / 1e18)
        }
        // As text, because a script's numbers are exact only up to 2^53.
        func id(_ number: UInt64?) -> TimelineCell { number.map { .text("\($0)") } ?? .null }
        func cells(_ states: [StateChange]) -> [TimelineCell] {
            states.flatMap { state -> [TimelineCell] in
                let slot = TimelineCell.index(slots[state.slot.text])
                if state.isGone { return [.list([slot, .list([]), .null, .null, .index(2)])] }
                return (state.changes ?? []).map { change in
                    .list([
                        slot, .list(change.path.map { .text($0) }), change.new.map { .tree($0) } ?? .null,
                        change.after.map { .text($0) } ?? .null, .index(state.isStart ? 1 : 0),
                    ])
                }
            }
        }
        // The states' lanes come first.
        for action in trace.actions { _ = lanes[action.states.first ?? "no state"] }
        var runs: [String: TimelineCell] = [:]
        for run in trace.runs {
            runs["\(run.id)"] = .list([
                .text(run.saga), .text(run.name), id(run.trigger), .index(sites[run.callSite]),
                run.startTime.map { seconds($0) } ?? .null, run.endTime.map { seconds($0) } ?? .null,
                .text(run.outcome ?? "still running"), .index(lanes[run.saga]),
            ])
        }
        trace.forEachStep { entry, states in
            guard let entry else {
                if events.isEmpty {
                    start = cells(states)
                } else if !states.isEmpty {
                    let time = seconds(trace.entries[trace.baseIndex - 1].time)
                    events.append(
                        .list([.text("m"), time, .text("earlier states were not kept"), .list(cells(states))]))
                }
                return
            }
            let time = seconds(entry.time)
            if case .action = entry.event, !states.isEmpty { lastChange = events.count }
            switch entry.event {
            case .action(let action):
                events.append(
                    .list([
                        .text("a"), time, id(action.sequence), .index(types[action.type]), .text(action.text),
                        .index(sites[action.callSite]), id(action.cause?.id), id(action.follows),
                        action.scope.map { .text($0) } ?? .null, .index(lanes[action.states.first ?? "no state"]),
                        .list(cells(states)),
                    ])
                )
            case .runStarted(let run): events.append(.list([.text("s"), time, id(run.id)]))
            case .runEnded(let run): events.append(.list([.text("e"), time, id(run.id)]))
            case .refused(let refused):
                events.append(
                    .list([.text("r"), time, .text(refused.text), refused.callSite.map { .text($0) } ?? .null]))
            case .failed(let run, let name, let text):
                let whole = "\(name) failed, and nobody received: \(text)"
                events.append(.list([.text("f"), time, .text(whole), id(run)]))
            case .module(let what, let name, let scope):
                let place = scope.map { " in \($0)" } ?? ""
                events.append(.list([.text("m"), time, .text("\(what) \(name)\(place)"), .list(cells(states))]))
            case .reset(let names):
                events.append(
                    .list([.text("x"), time, .text("reset " + names.joined(separator: ", ")), .list(cells(states))]))
            case .note(let text): events.append(.list([.text("n"), time, .text(text)]))
            }
        }
        self.dropped = trace.dropped
        self.lead = lead
        focus = lead == nil ? -1 : lastChange
        (self.lanes, self.types, self.sites, self.slots) = (lanes.list, types.list, sites.list, slots.list)
        (self.start, self.events, self.runs) = (start, events, runs)
    }
}

/// A part of the page's data.
private indirect enum TimelineCell: Encodable {
    case null
    case index(Int)
    case number(Double)
    case text(String)
    case tree(ValueTree)
    case list([TimelineCell])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .index(let index): try container.encode(index)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .tree(let tree): try container.encode(tree)
        case .list(let list): try container.encode(list)
        }
    }
}

/// Names, each with the number of its first appearance.
private struct Names {
    private(set) var list: [String] = []
    private var numbers: [String: Int] = [:]

    subscript(name: String) -> Int {
        mutating get {
            if let number = numbers[name] { return number }
            numbers[name] = list.count
            list.append(name)
            return list.count - 1
        }
    }
}
