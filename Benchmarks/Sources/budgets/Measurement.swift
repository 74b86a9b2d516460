import Workloads

/// The figures measured for a row, and their verdict.
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
        /// Nothing is promised, or the run was too short to judge.
        case notJudged
    }

    let unit: Unit
    let subject: Double
    let baseline: Double?
    /// The ratio of subject to baseline.
    let ratio: Double?
    /// The growth of the resident memory per operation, for comparison.
    let resident: Double?

    init(_ unit: Unit, subject: Double, baseline: Double? = nil, ratio: Double? = nil, resident: Double? = nil) {
        self.unit = unit
        self.subject = subject
        self.baseline = baseline
        self.ratio = ratio
        self.resident = resident
    }

    /// The figure to which a budget applies: the ratio if there is one, otherwise the figure itself.
    var judged: Double { ratio ?? subject }

    func verdict(_ budget: Row.Budget?) -> Verdict {
        switch budget {
        case nil: .notJudged
        // NaN is within no budget.
        case .atMost(let limit): judged <= limit ? .met : .missed
        // The figure also includes what a process allocates once, whatever the number of operations.
        case .exactly(let value): abs(judged - value) <= value / 1_000 ? .met : .missed
        }
    }
}
