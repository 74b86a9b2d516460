import Foundation
import Probes
import Workloads

/// Measures rows, prints the table, and summarises it.
struct Report {
    let pace: Pace

    /// Measures and prints all rows.
    ///
    /// - Returns: Whether every row could be measured and is within its budget.
    func measure(_ rows: [Row]) async -> Bool {
        var verdicts: [Measurement.Verdict] = []
        var unmeasured: [String] = []
        show(Table.header)
        for row in rows {
            do {
                let measurement = try await measure(row)
                let verdict = pace == .quick ? .notJudged : measurement.verdict(row.budget)
                verdicts.append(verdict)
                show(Table.line(row, measurement, verdict))
            } catch {
                unmeasured.append("\(row.id): \(error)")
                show(Table.line(unmeasured: row))
            }
        }
        show("\n" + Table.summary(verdicts, pace, unmeasured: unmeasured))
        return unmeasured.isEmpty && !verdicts.contains(.missed)
    }

    /// Prints and flushes at once, even if the output is not a terminal.
    private func show(_ text: String) {
        print(text)
        fflush(nil)
    }

    private func measure(_ row: Row) async throws -> Measurement {
        switch row.figure {
        case _ where pace == .quick && !isQuick(row.figure), .time:
            let result = try await Sampler(pace: pace).measure(row)
            return Measurement(
                .nanoseconds, subject: result.subject, baseline: result.baseline, ratio: result.ratio
            )
        case .instructions(let operations):
            let counter = try InstructionCounter()
            let subject = try counter.count(row, .subject, over: operations)
            let baseline = row.baseline == nil ? nil : try counter.count(row, .baseline, over: operations)
            return Measurement(
                .instructions, subject: subject, baseline: baseline, ratio: baseline.map { subject / $0 }
            )
        case .allocations:
            let operations = pace == .quick ? 100 : 10_000
            let figures = try Probe(kind: .allocations, row: row, side: .subject, operations: operations).figures()
            return Measurement(.blocks, subject: figures[0] / Double(operations))
        case .bytes(let wanted):
            let operations = pace == .quick ? min(wanted, 1_000) : wanted
            let figures = try Probe(kind: .bytes, row: row, side: .subject, operations: operations).figures()
            return Measurement(
                .bytes, subject: figures[0] / Double(operations), resident: figures[1] / Double(operations)
            )
        case .growth(let wanted):
            let operations = pace == .quick ? wanted / 50 : wanted
            let figures = try Probe(kind: .growth, row: row, side: .subject, operations: operations).figures()
            return Measurement(.bytes, subject: figures[0], resident: figures[1])
        case .text(let name):
            return Measurement(.bytes, subject: try TextSize.ofProgram(named: name))
        }
    }

    /// Whether a figure can be measured quickly, and on this system.
    ///
    /// If not, a quick run measures the time instead, which runs the same code.
    private func isQuick(_ figure: Row.Figure) -> Bool {
        switch figure {
        case .time: true
        case .instructions, .text: false
        case .allocations, .bytes, .growth: relux_probes_count_allocations()
        }
    }
}
