extension Simulation {
    /// What an exploration has found.
    public struct Report: Sendable, CustomStringConvertible {
        /// How many seeds have passed.
        public internal(set) var passed: Int

        /// The first run that failed, which was the last one; nil if all passed.
        public internal(set) var failure: Outcome?

        /// How many seeds have passed, and the failure if there is one.
        public var description: String {
            let passed = "\(passed.counting("seed")) passed"
            return failure.map { "\(passed), then:\n\($0)" } ?? passed
        }
    }

    /// What became of one run.
    public struct Outcome: Sendable, Hashable, CustomStringConvertible {
        /// What the run followed from.
        public let seed: UInt64

        /// What failed; nil if nothing did.
        public let failure: String?

        /// The actions and runs of all stores, in order, with their times: as far as the first failure.
        ///
        /// The same seed gives the same lines, in every process.
        public let trace: [String]

        /// The seed, what failed, and the trace: at most its last 200 lines.
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
