extension Simulation {
    /// The result of an exploration.
    public struct Report: Sendable, CustomStringConvertible {
        /// The number of seeds that passed. The plain order isn't one of them.
        public internal(set) var passed = 0

        /// The first run that failed, with its schedule shrunk; nil if every run passed.
        public internal(set) var failure: Outcome?

        /// The number of distinct orders of actions and runs in the runs that passed.
        ///
        /// Times don't count. Two actions are the same if they have the same type and the same contents. Contents that
        /// aren't hashable are compared by what reflection shows of them, up to 200 values.
        public var orders: Int { seen.count }

        /// Whether new orders had stopped appearing: none was new in the second half of at least 20 seeds.
        ///
        /// If it is false, more seeds would probably try other orders. If it is true, they probably wouldn't.
        public var isSaturated: Bool { passed >= 20 && lastNew * 2 <= passed }

        /// Whether any run has had something to check, by the text to report if none has.
        private var checks: [String: Bool] = [:]
        private var seen: Set<UInt64> = []
        /// The number of seeds that had passed when the last new order appeared.
        private var lastNew = 0

        init() {}

        /// Adds a run that passed.
        mutating func add(_ order: UInt64, isSeed: Bool) {
            if isSeed { passed += 1 }
            if seen.insert(order).inserted { lastNew = passed }
        }

        /// Adds the checks of a run that passed.
        mutating func add(_ checks: [StatedCheck]) {
            for check in checks where self.checks[check.warning] != true {
                self.checks[check.warning] = check.isUsed
            }
        }

        /// The checks that have not checked anything in any run.
        var warnings: [String] { checks.filter { !$0.value }.keys.sorted() }

        /// The number of seeds that passed and of their orders.
        var summary: String {
            let coverage =
                isSaturated
                ? (lastNew == 0 ? "none but the plain one" : "no new one since the seed number \(lastNew)")
                : "new ones were still appearing"
            let orders = passed > 0 ? " in \(orders.counting("order")); \(coverage)" : ""
            return "\(passed.counting("seed")) passed\(orders)"
        }

        /// The number of seeds that passed and of their orders, followed by the failure if there is one.
        public var description: String {
            failure.map { "\(summary), then:\n\($0)" } ?? summary
        }
    }

    /// The result of one run.
    public struct Outcome: Sendable, Hashable, CustomStringConvertible {
        /// The seed that determined the run; nil for the plain order and for a replayed token.
        public let seed: UInt64?

        /// The failure; nil if the run passed.
        public let failure: String?

        /// The actions and runs of all stores, latencies, faults and notes, in order and with their times, up to the
        /// first failure.
        ///
        /// The same schedule gives the same lines in every process. If a trace has more than 4,000 lines, only the end
        /// is kept.
        public let trace: [String]

        /// Identifies the schedule for ``Simulation/replay(_:jobLimit:timeLimit:timePassesEarly:sourceLocation:_:)``.
        public let token: String

        /// The limits of the run.
        let limits: Limits

        /// The result of repeating the shrunk schedule; nil for a replay, which neither shrinks nor repeats.
        let repetition: Repetition?

        init(
            seed: UInt64?, failure: String?, trace: [String], token: String, limits: Limits,
            repetition: Repetition? = nil
        ) {
            self.seed = seed
            self.failure = failure
            self.trace = trace
            self.token = token
            self.limits = limits
            self.repetition = repetition
        }

        init(_ result: SimulationRun.Result, seed: UInt64?, limits: Limits, repetition: Repetition? = nil) {
            self.init(
                seed: seed, failure: result.failure?.text, trace: result.trace, token: result.tape.token,
                limits: limits, repetition: repetition
            )
        }

        /// Shrinks the schedule of a failure.
        ///
        /// - Parameter kind: How it failed.
        init(shrinking result: SimulationRun.Result, _ kind: String, of run: SimulationRun, seed: UInt64?) {
            let (shrunk, repetition) = run.shrunk(result, kind)
            self.init(shrunk, seed: seed, limits: run.limits, repetition: repetition)
        }

        /// The seed, the failure, the last 200 lines of the trace, and how to repeat it.
        public var description: String {
            let shown = trace.suffix(200)
            let cut =
                trace.count > shown.count ? ["    … (\((trace.count - shown.count).counting("line")) before)"] : []
            let steps = trace.isEmpty ? ["    (nothing)"] : cut + shown.map { "    \($0)" }
            let name = seed.map { "Seed \($0)" } ?? (repetition == nil ? "The schedule" : "The plain order")
            let head = failure.map { "\(name) fails.\n\n\($0)" } ?? "\(name) passes."
            return """
                \(head)

                What happened, in order:
                \(steps.joined(separator: "\n"))

                \(advice)
                """
        }

        /// How to repeat the run.
        var advice: String {
            let byToken = "`Simulation.replay(\"\(token)\"\(limits.arguments))`"
            let bySeed = seed.map { "`Simulation.replay(seed: \($0)\(limits.arguments))`" }
            switch (repetition, bySeed) {
            case (.passes, _), (.failsDifferently, _):
                return """
                    A schedule that had failed \(repetition == .passes ? "passed" : "failed differently") when it was \
                    repeated. \
                    Something outside the schedule decides whether it fails: the order of a set or a dictionary, the \
                    time of day, state that the runs share, or other threads. \(byToken) tries it again.
                    """
            case (_, nil):
                return "\(byToken) repeats it."
            case (nil, let bySeed?):
                return "\(bySeed) repeats it."
            case (.failsAlike, let bySeed?):
                return """
                    \(byToken) repeats this schedule, the simplest one found that fails. \(bySeed) repeats the seed as \
                    it was.
                    """
            }
        }
    }

    /// The result of running a failing schedule again.
    enum Repetition: Sendable, Hashable {
        case failsAlike
        case failsDifferently
        case passes
    }
}
