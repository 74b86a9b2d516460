/// A line of the table: something measured, what it is compared with, and how much it may cost.
package struct Row: Sendable {
    /// What is measured, and how.
    package enum Figure: Sendable {
        /// Time an operation.
        case time
        /// Instructions an operation.
        case instructions
        /// Blocks of the heap an operation.
        case allocations
        /// Bytes of the heap that each of so many operations leaves behind.
        case bytes(of: Int)
        /// Bytes that the memory in use grows by between the first 100,000 operations and the last of so many.
        case growth(over: Int)
    }

    /// What a figure is judged by.
    package enum Budget: Sendable {
        /// It must not be more than this.
        case atMost(Double)
        /// It must be this, to a thousandth, or the probe that measures it is broken.
        case exactly(Double)
    }

    /// What to call it by on the command line.
    package let id: String

    /// What it shows.
    package let what: String

    package let figure: Figure
    package let subject: Workload

    /// What the subject is divided by; nil where the figure stands for itself.
    package let baseline: Workload?

    /// nil where nothing is promised and the figure is only shown.
    package let budget: Budget?

    package init(
        _ id: String, _ what: String, _ figure: Figure, of subject: Workload, against baseline: Workload? = nil,
        budget: Budget? = nil
    ) {
        self.id = id
        self.what = what
        self.figure = figure
        self.subject = subject
        self.baseline = baseline
        self.budget = budget
    }
}
