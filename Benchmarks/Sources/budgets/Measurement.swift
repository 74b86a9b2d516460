import Workloads

/// What was measured for a row, and what it is worth.
struct Measurement {
    enum Unit {
        case nanoseconds
        case instructions
        case blocks
        case bytes
    }

    enum Verdict {
        case met
        case missed
        /// Nothing is promised, or the run was too short to tell.
        case notJudged
    }

    let unit: Unit
    let subject: Double
    let baseline: Double?
    /// Subject to baseline.
    let ratio: Double?
    /// How much the resident memory grew by meanwhile, each; for comparison.
    let resident: Double?

    init(_ unit: Unit, subject: Double, baseline: Double? = nil, ratio: Double? = nil, resident: Double? = nil) {
        self.unit = unit
        self.subject = subject
        self.baseline = baseline
        self.ratio = ratio
        self.resident = resident
    }

    /// What a budget is about: the ratio where there is one, else the figure itself.
    var judged: Double { ratio ?? subject }

    func verdict(_ budget: Row.Budget?) -> Verdict {
        switch budget {
        case nil: .notJudged
        // A figure that is none fits no budget.
        case .atMost(let limit): judged <= limit ? .met : .missed
        // What a process makes once, whatever the number of operations, is in the figure too.
        case .exactly(let value): abs(judged - value) <= value / 1_000 ? .met : .missed
        }
    }
}
