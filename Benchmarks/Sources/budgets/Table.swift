import Foundation
import Workloads

/// The texts of the report. The table is Markdown, so that it can be pasted into a document.
enum Table {
    private static let widths = [66, 11, 17, 10, 13, 12]

    static let header = """
        \(line(["what", "measured", "compared with", "ratio", "budget", "met"]))
        |\(widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|"))|
        """

    static func line(_ row: Row, _ measurement: Measurement, _ verdict: Measurement.Verdict) -> String {
        line([
            row.what,
            format(measurement.subject, measurement.unit),
            measurement.baseline.map { format($0, measurement.unit) }
                ?? measurement.resident.map { "\(format($0, .bytes)) resident" } ?? "–",
            measurement.ratio.map(format(ratio:)) ?? "–",
            budget(row),
            word(verdict),
        ])
    }

    static func line(unmeasured row: Row) -> String {
        line([row.what, "–", "–", "–", budget(row), "NOT MEASURED"])
    }

    static func summary(_ judged: [Measurement.Verdict], _ pace: Pace, unmeasured: [String]) -> String {
        let met = judged.count { $0 == .met }
        let missed = judged.count { $0 == .missed }
        let sum =
            switch pace {
            case .quick: "This was a brief run, and nothing was judged. Rows that couldn't be run: \(unmeasured.count)."
            case .thorough: "Within their budget: \(met). Missed: \(missed). Not measured: \(unmeasured.count)."
            }
        return ([sum] + unmeasured.map { "  \($0)" }).joined(separator: "\n")
    }

    static func ids() -> String {
        let width = Row.all.map(\.id.count).max() ?? 0
        return Row.all.map { "\(padded($0.id, width))  \($0.what)" }.joined(separator: "\n")
    }

    private static func line(_ cells: [String]) -> String {
        "| " + zip(cells, widths).map { padded($0, $1) }.joined(separator: " | ") + " |"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func word(_ verdict: Measurement.Verdict) -> String {
        switch verdict {
        case .met: "yes"
        case .missed: "NO"
        case .notJudged: "–"
        }
    }

    private static func budget(_ row: Row) -> String {
        guard let budget = row.budget else { return "–" }
        let (sign, value) =
            switch budget {
            case .atMost(let limit): ("≤", limit)
            case .exactly(let value): ("=", value)
            }
        let amount =
            switch row.figure {
            case .instructions where row.baseline == nil: format(value, .instructions)
            case .time, .instructions: format(ratio: value)
            case .allocations: format(value, .blocks)
            case .bytes, .growth, .text: format(value, .bytes)
            }
        return "\(sign) \(amount)"
    }

    private static func format(ratio: Double) -> String { "\(number(ratio, ratio < 100 ? 2 : 0)) ×" }

    private static func format(_ value: Double, _ unit: Measurement.Unit) -> String {
        switch unit {
        case .nanoseconds where value < 10_000: "\(number(value, value < 1_000 ? 1 : 0)) ns"
        case .nanoseconds: "\(number(value / 1_000, 1)) µs"
        case .instructions: "\(number(value, 0)) instr"
        case .blocks: number(value, value == value.rounded() ? 0 : 4)
        case .bytes: "\(number(value, 0)) B"
        }
    }

    private static func number(_ value: Double, _ places: Int) -> String {
        value.formatted(.number.precision(.fractionLength(places)).locale(Locale(identifier: "en_US")))
    }
}
