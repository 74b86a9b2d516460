/// A row of the table: what is measured, what it is compared with, and its budget.
package struct Row: Sendable {
    /// The quantity that is measured, and how.
    package enum Figure: Sendable {
        /// Time per operation.
        case time
        /// Instructions per operation, of the given number of operations.
        case instructions(over: Int)

        /// Instructions per operation, of as many operations as short ones need.
        package static var instructions: Figure { .instructions(over: 40_000) }

        /// Heap blocks allocated per operation.
        case allocations
        /// Heap bytes that each of the given number of operations leaves behind.
        case bytes(of: Int)
        /// Bytes by which the memory in use grows after the first hundredth of the given number of operations.
        case growth(over: Int)
        /// Bytes of the text of an executable beside the running one, stripped.
        case text(of: String)
    }

    /// The criterion by which a figure is judged.
    package enum Budget: Sendable {
        /// The figure must not be greater than this.
        case atMost(Double)
        /// The figure must equal this to within a thousandth. Otherwise, the probe that measures it is broken.
        case exactly(Double)
    }

    /// The name of the row on the command line.
    package let id: String

    /// The description of the row in the table.
    package let what: String

    package let figure: Figure
    package let subject: Workload

    /// The workload that the subject is compared with; nil if its figure is judged alone.
    package let baseline: Workload?

    /// The budget; nil if nothing is promised and the figure is only shown.
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
