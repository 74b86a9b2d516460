/// Shrinks a schedule that fails: to fewer unusual decisions, and to a shorter trace.
///
/// It replaces groups of decisions by plain ones, with ever smaller groups, removes draws, and moves draws towards
/// zero. A candidate is kept if it fails in the same way.
///
/// Fewer unusual decisions usually make a shorter trace, but not always, because the plain order may do more before it
/// fails. Of all failures that were found, one with the fewest lines is therefore reported. It is then simplified as
/// long as its trace doesn't grow.
struct Shrinker {
    /// A schedule that fails, and how.
    struct Failure {
        let tape: ScheduleTape
        let kind: String
        let lines: Int
    }

    /// The simplest failure so far. At the end, it is the one with the fewest lines of all that were found.
    private(set) var best: Failure

    /// The failure with the fewest lines so far.
    private var shortest: Failure
    /// Whether fewer lines are more important than fewer unusual decisions.
    private var prefersShorter = false

    /// The number of runs that may still be tried.
    private var budget: Int
    /// The number of jobs after which no further run is tried.
    private var jobBudget: Int
    private let run: (ScheduleTape) -> (failure: Failure?, jobs: Int)

    /// - Parameters:
    ///   - failure: What to shrink.
    ///   - budget: The maximum number of runs.
    ///   - jobBudget: The number of jobs in all runs after which no further run is tried. It limits the time for
    ///     failures that are runs without an end.
    ///   - run: Runs a schedule; returns how it fails, and the number of its jobs. The tape of a failure is what was
    ///     actually decided.
    init(
        _ failure: Failure, budget: Int = 400, jobBudget: Int,
        run: @escaping (ScheduleTape) -> (failure: Failure?, jobs: Int)
    ) {
        (best, shortest) = (failure, failure)
        (self.budget, self.jobBudget) = (jobBudget > 0 ? budget : 0, jobBudget)
        self.run = run
    }

    mutating func shrink() {
        // The trimmed tape of the failure itself, without the decisions that a replay ignores.
        _ = attempt(best.tape, evenIfEqual: true)
        // A quarter of the runs is kept for the shortest failure.
        let reserve = budget / 4
        budget -= reserve
        simplify()
        budget = jobBudget > 0 ? budget + reserve : 0
        if shortest.lines < best.lines { best = shortest }
        prefersShorter = true
        simplify()
    }

    private mutating func simplify() {
        var hasImproved = true
        while hasImproved, budget > 0 {
            hasImproved = false
            for part in [Part.choices, .draws] {
                if resetGroups(of: part) { hasImproved = true }
            }
            if removeDraws() { hasImproved = true }
            if lowerDraws() { hasImproved = true }
        }
    }

    private enum Part { case choices, draws }

    /// Tries to make decisions plain: all of them, then halves, quarters, and so on.
    private mutating func resetGroups(of part: Part) -> Bool {
        var hasImproved = false
        var size = unusualIndices(of: part).count
        while size > 0, budget > 0 {
            var start = 0
            while start < unusualIndices(of: part).count, budget > 0 {
                let group = unusualIndices(of: part).dropFirst(start).prefix(size)
                var tape = best.tape
                for index in group {
                    switch part {
                    case .choices: tape.choices[index] = 0
                    case .draws: tape.draws[index] = 0
                    }
                }
                if attempt(tape) { hasImproved = true } else { start += size }
            }
            size /= 2
        }
        return hasImproved
    }

    private func unusualIndices(of part: Part) -> [Int] {
        switch part {
        case .choices: best.tape.choices.indices.filter { best.tape.choices[$0] != 0 }
        case .draws: best.tape.draws.indices.filter { best.tape.draws[$0] != 0 }
        }
    }

    /// Tries to remove draws, so that later ones move forward.
    private mutating func removeDraws() -> Bool {
        var hasImproved = false
        var index = best.tape.draws.count - 1
        while index >= 0, budget > 0 {
            if index < best.tape.draws.count {
                var tape = best.tape
                tape.draws.remove(at: index)
                if attempt(tape) { hasImproved = true }
            }
            index -= 1
        }
        return hasImproved
    }

    /// Tries to move draws towards zero: first to a power of two at most, then bit by bit.
    private mutating func lowerDraws() -> Bool {
        var hasImproved = false
        for index in best.tape.draws.indices where budget > 0 {
            for bits in [1, 2, 4, 8, 16] {
                guard index < best.tape.draws.count, best.tape.draws[index] != 0 else { break }
                let draw = best.tape.draws[index]
                let shift = UInt64(64 - bits)
                // The highest bits only, rounded up and down.
                for candidate in [(draw >> shift) << shift, ((draw >> shift) &+ 1) << shift] where candidate != draw {
                    var tape = best.tape
                    tape.draws[index] = candidate
                    if candidate.trailingZeroBitCount > draw.trailingZeroBitCount, attempt(tape) {
                        hasImproved = true
                        // The tape has changed, and may have fewer draws now.
                        break
                    }
                }
            }
        }
        return hasImproved
    }

    private mutating func attempt(_ tape: ScheduleTape, evenIfEqual: Bool = false) -> Bool {
        guard budget > 0 else { return false }
        budget -= 1
        let result = run(tape.trimmed)
        jobBudget -= result.jobs
        if jobBudget <= 0 { budget = 0 }
        guard let failure = result.failure, failure.kind == best.kind else { return false }
        if failure.lines < shortest.lines { shortest = failure }
        guard isSimpler(failure, than: best) || (evenIfEqual && !isSimpler(best, than: failure)) else { return false }
        best = failure
        return true
    }

    private func isSimpler(_ one: Failure, than other: Failure) -> Bool {
        let (decisions, others) = (one.tape.unusual, other.tape.unusual)
        return prefersShorter
            ? (one.lines, decisions, one.tape.weight) < (other.lines, others, other.tape.weight)
            : (decisions, one.lines, one.tape.weight) < (others, other.lines, other.tape.weight)
    }
}

extension ScheduleTape {
    /// The distance from the plain tape, which shrinking reduces.
    fileprivate var weight: Int {
        choices.reduce(0) { $0 + ($1 == 0 ? 0 : $1) }
            + draws.reduce(0) { $0 + ($1 == 0 ? 0 : 64 - $1.trailingZeroBitCount) }
    }
}
