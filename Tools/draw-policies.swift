// Draws the time lines of the policies: Docs/Relux.docc/Resources/policies.svg and timed-policies.svg, light and dark.
//
//     swiftc Tools/draw-policies.swift -o .build/draw-policies && .build/draw-policies
//
// To show another policy, add it to the figures below. Times are in units; a unit is 26 points wide.
import Foundation

enum Segment {
    case active(from: Double, to: Double, End)
    case waiting(from: Double, to: Double, End)
    case dropped(at: Double)

    enum End { case normal, superseded, none }

    var start: Double {
        switch self {
        case .active(let start, _, _), .waiting(let start, _, _), .dropped(let start): start
        }
    }
}

struct Policy {
    let name: String
    let note: String
    /// One line for each trigger, called a, b, c, and e. (d is a duration.)
    let triggers: [[Segment]]

    init(_ name: String, _ note: String = "", _ triggers: [Segment]...) {
        self.name = name
        self.note = note
        self.triggers = triggers
    }
}

func run(_ start: Double, _ end: Double, _ how: Segment.End = .normal) -> Segment { .active(from: start, to: end, how) }
func wait(_ start: Double, _ end: Double, _ how: Segment.End = .none) -> Segment { .waiting(from: start, to: end, how) }
func drop(_ time: Double) -> Segment { .dropped(at: time) }

let policies = [
    Policy("concurrent", "", [run(0, 5)], [run(2.5, 7.5)], [run(5, 10)]),
    Policy(
        "concurrent(limit: 2)", "c starts when a has ended", [run(0, 6)], [run(2.5, 7.5)], [wait(5, 6), run(6, 11)]
    ),
    Policy(
        "latest", "the performers of a and b get superseded", [run(0, 2.5, .superseded)], [run(2.5, 5, .superseded)],
        [run(5, 10)]
    ),
    Policy("latest(limit: 2)", "c supersedes a", [run(0, 5, .superseded)], [run(2.5, 7.5)], [run(5, 10)]),
    Policy("leading", "the performers of b and c get dropped", [run(0, 6)], [drop(2.5)], [drop(5)]),
    Policy("leading(limit: 2)", "the performer of c gets dropped", [run(0, 6)], [run(2.5, 7.5)], [drop(5)]),
    Policy("serial", "first in, first out", [run(0, 4)], [wait(2.5, 4), run(4, 8)], [wait(5, 8), run(8, 12)]),
    Policy(
        "conflated", "of those waiting, only the newest starts", [run(0, 6)], [wait(2.5, 5, .superseded)],
        [wait(5, 6), run(6, 11)]
    ),
    Policy(
        "shared", "b and c get the value or the error of a", [run(0, 6)], [wait(2.5, 6, .normal)],
        [wait(5, 6, .normal)]
    ),
]

let timedPolicies = [
    Policy(
        "debounce(d)", "c starts once d has passed without a trigger", [wait(0, 1, .superseded)],
        [wait(1, 2.5, .superseded)], [wait(2.5, 5), run(5, 10)]
    ),
    Policy(
        "debounce(d)", "b supersedes a when it starts", [wait(0, 2.5), run(2.5, 6.5, .superseded)],
        [wait(4, 6.5), run(6.5, 11)]
    ),
    Policy("… keepingActive: true", "a continues", [wait(0, 2.5), run(2.5, 9)], [wait(4, 6.5), run(6.5, 11)]),
    Policy(
        "throttle(d)", "the last trigger of a window starts at its end", [run(0, 2)], [wait(1, 2, .superseded)],
        [wait(2, 2.5), run(2.5, 4.5)], [wait(4, 5), run(5, 7)]
    ),
    Policy("… trailing: false", "triggers inside a window are dropped", [run(0, 2)], [drop(1)], [drop(2)], [run(4, 6)]),
]

struct Colors {
    let background, ink, soft, line, name, bar, normal, bad: String

    static let light = Colors(
        background: "#ffffff", ink: "#1d1d1f", soft: "#6e6e73", line: "#86868b", name: "#1e5bd0", bar: "#3b6fd4",
        normal: "#1c8a4a", bad: "#c62828"
    )
    static let dark = Colors(
        background: "#1c1c1e", ink: "#f5f5f7", soft: "#a1a1a6", line: "#8e8e93", name: "#8ab4ff", bar: "#7fb0ff",
        normal: "#5fd38a", bad: "#ff7b72"
    )
}

struct Drawing {
    private let colors: Colors
    private let left = 225.0
    private let unit = 26.0
    private let units = 13.0
    private var elements: [String] = []

    init(_ colors: Colors) { self.colors = colors }

    mutating func figure(_ policies: [Policy], title: String, caption: String) -> String {
        var y = 46.0
        text(caption, x: 16, y: 26, colors.soft, size: 12)
        for policy in policies {
            text(
                policy.name, x: 16, y: y + 20, colors.ink, size: 13, "font-family=\"ui-monospace, monospace\"",
                bold: true)
            text(policy.note, x: left + units * unit + 16, y: y + 20, colors.soft, size: 12)
            for (name, segments) in zip(["a", "b", "c", "e"], policy.triggers) {
                draw(segments, called: name, y: y + 15)
                y += 24
            }
            y += 18
        }
        legend(y: y + 24)
        let (width, height) = (number(left + units * unit + 300), number(y + 40))
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
            font-family="-apple-system, Segoe UI, Helvetica, Arial, sans-serif" role="img">
            <title>\(title)</title>
            <rect width="\(width)" height="\(height)" rx="12" fill="\(colors.background)"/>
            """
        return ([head] + elements + ["</svg>", ""]).joined(separator: "\n")
    }

    private mutating func draw(_ segments: [Segment], called name: String, y: Double) {
        let end = left + units * unit
        elements.append(
            "<path d=\"M\(number(left)) \(number(y))H\(number(end))\" stroke=\"\(colors.line)\" stroke-opacity=\"0.25\"/>"
        )
        let start = left + (segments.first?.start ?? 0) * unit
        text(name, x: start - 6, y: y + 4, colors.name, size: 12, "text-anchor=\"end\"", bold: true)
        for segment in segments {
            switch segment {
            case .active(let start, let end, let how):
                bar(x: left + start * unit, width: (end - start) * unit, y: y, isActive: true)
                mark(how, x: left + end * unit, y: y)
            case .waiting(let start, let end, let how):
                bar(x: left + start * unit, width: (end - start) * unit, y: y, isActive: false)
                mark(how, x: left + end * unit, y: y)
            case .dropped(let time):
                text("–", x: left + time * unit + 2, y: y + 5, colors.bad, size: 15, bold: true)
            }
        }
    }

    private mutating func legend(y: Double) {
        bar(x: 16, width: 18, y: y - 5, isActive: true)
        bar(x: 114, width: 18, y: y - 5, isActive: false)
        mark(.normal, x: 227, y: y - 5)
        mark(.superseded, x: 375, y: y - 5)
        text("–", x: 498, y: y, colors.bad, size: 15, bold: true)
        for (x, label) in [
            (40.0, "active"), (138, "waiting"), (242, "its normal end"), (390, "superseded"), (518, "dropped"),
        ] {
            text(label, x: x, y: y, colors.soft, size: 12)
        }
    }

    private mutating func bar(x: Double, width: Double, y: Double, isActive: Bool) {
        let style =
            isActive ? "fill=\"\(colors.bar)\"" : "fill=\"none\" stroke=\"\(colors.bar)\" stroke-dasharray=\"3 3\""
        elements.append(
            "<rect x=\"\(number(x))\" y=\"\(number(y - 8))\" width=\"\(number(width))\" height=\"16\" rx=\"4\" \(style)/>"
        )
    }

    private mutating func mark(_ end: Segment.End, x: Double, y: Double) {
        switch end {
        case .normal:
            elements.append("<circle cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"5\" fill=\"\(colors.normal)\"/>")
        case .superseded:
            let path = "M\(number(x - 5)) \(number(y - 6))l10 12m0-12l-10 12"
            elements.append("<path d=\"\(path)\" stroke=\"\(colors.bad)\" stroke-width=\"2.5\" fill=\"none\"/>")
        case .none:
            break
        }
    }

    private mutating func text(
        _ text: String, x: Double, y: Double, _ color: String, size: Int, _ attributes: String = "", bold: Bool = false
    ) {
        guard !text.isEmpty else { return }
        let more = [bold ? "font-weight=\"600\"" : "", attributes].filter { !$0.isEmpty }.map { " " + $0 }.joined()
        elements.append(
            "<text x=\"\(number(x))\" y=\"\(number(y))\" fill=\"\(color)\" font-size=\"\(size)\"\(more)>\(text)</text>")
    }

    private func number(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
}

let folder = "Docs/Relux.docc/Resources/"
for (suffix, colors) in [("", Colors.light), ("~dark", .dark)] {
    var (plain, timed) = (Drawing(colors), Drawing(colors))
    try plain.figure(
        policies, title: "Policies over time",
        caption: "a, b and c are triggers of one saga with one id, in this order. Time passes to the right."
    ).write(toFile: folder + "policies\(suffix).svg", atomically: true, encoding: .utf8)
    try timed.figure(
        timedPolicies, title: "Debounce and throttle over time",
        caption: "a, b, c and e are triggers. d is 2.5 units long."
    ).write(toFile: folder + "timed-policies\(suffix).svg", atomically: true, encoding: .utf8)
}
