extension Simulation {
    /// The result of an exploration.
    public struct Report: Sendable, CustomStringConvertible {
        /// The number of seeds that passed.
        public internal(set) var passed: Int

        /// The first run that failed, which is also the last one that ran; nil if every seed passed.
        public internal(set) var failure: Outcome?

        /// The number of seeds that passed, followed by the failure if there is one.
        public var description: String {
            let passed = "\(passed.counting("seed")) passed"
            return failure.map { "\(passed), then:\n\($0)" } ?? passed
        }
    }

    /// The result of one run.
    public struct Outcome: Sendable, Hashable, CustomStringConvertible {
        /// The seed that determined the run.
        public let seed: UInt64

        /// What failed; nil if the run passed.
        public let failure: String?

        /// The actions and runs of all stores, in order and with their times, up to the first failure.
        ///
        /// The same seed gives the same lines in every process.
        public let trace: [String]

        /// The seed, the failure, and the last 200 lines of the trace.
        public var description: String {
            let shown = trace.suffix(200)
            let cut =
                trace.count > shown.count ? ["    … (\((trace.count - shown.count).counting("line")) before)"] : []
            let steps = trace.isEmpty ? ["    (nothing)"] : cut + shown.map { "    \($0)" }
            let head = failure.map { "Seed \(seed) fails.\n\n\($0)" } ?? "Seed \(seed) passes."
            return """
                \(head)

                What happened, in order:
                \(steps.joined(separator: "\n"))

                `Simulation.replay(seed: \(seed))` repeats it.
                """
        }
    }
}
