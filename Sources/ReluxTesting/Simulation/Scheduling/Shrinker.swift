/// Shrinks a schedule that fails: to fewer unusual decisions, and to a shorter trace.
///
/// Decisions return to the plain one, in ever smaller groups; draws are removed, and move towards zero. A candidate is
/// kept if it fails in the same way.
struct Shrinker {
    /// A schedule that fails, and how.
    struct Failure {
        let tape: ScheduleTape
        let kind: String
        let lines: Int

        /// Whether this one is simpler than another.
        func isSimpler(than other: Failure) -> Bool {
            (tape.unusual, lines, tape.weight) < (other.tape.unusual, other.lines, other.tape.weight)
        }
    }

    /// The simplest failure so far.
    private(set) var best: Failure

    /// The number of runs that may still be tried.
    private var budget: Int
    private let run: (ScheduleTape) -> Failure?

    /// - Parameters:
    ///   - failure: What to shrink.
    ///   - budget: The maximum number of runs.
    ///   - run: Runs a schedule; returns nil if it passes. The tape of a failure is what was actually decided.
    init(_ failure: Failure, budget: Int = 400, run: @escaping (ScheduleTape) -> Failure?) {
        best = failure
        self.budget = budget
        self.run = run
    }

    mutating func shrink() {
        // The trimmed tape of the failure itself, without the decisions that a replay ignores.
        _ = attempt(best.tape, evenIfEqual: true)
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
                        // The tape is another one now, and may have fewer draws.
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
        guard let failure = run(tape.trimmed), failure.kind == best.kind else { return false }
        guard failure.isSimpler(than: best) || (evenIfEqual && !best.isSimpler(than: failure)) else { return false }
        best = failure
        return true
    }
}

extension ScheduleTape {
    /// How much there is to write down.
    fileprivate var weight: Int {
        choices.reduce(0) { $0 + ($1 == 0 ? 0 : $1) }
            + draws.reduce(0) { $0 + ($1 == 0 ? 0 : 64 - $1.trailingZeroBitCount) }
    }
}
