import Probes
import Workloads

/// Times a workload and its baseline by turns.
///
/// Many short samples, one of each in a pair: what else the machine does hits both. The ratio is the median of the
/// pairs' ratios. All is prepared anew a few times, because where things lie in memory differs from one time to
/// the next.
///
/// Tasks that are to get into each other's way don't where other programs leave them one processor: then they run one
/// after the other, and undisturbed. Of such workloads only those samples count that had more than one.
struct Sampler {
    /// What came of it, in nanoseconds an operation.
    struct Result {
        let subject: Double
        let baseline: Double?
        let ratio: Double?
    }

    let pace: Pace

    func measure(_ row: Row) async throws -> Result {
        var pairs: [(subject: Double, baseline: Double?)] = []
        if row.subject.isParallel, let baseline = row.baseline, pace == .thorough {
            return try await measureAtOnce(row.subject, baseline)
        }
        for _ in 0..<preparations {
            pairs += try await sample(row.subject, row.baseline)
        }
        return Result(
            subject: pairs.map(\.subject).median,
            baseline: row.baseline.map { _ in pairs.compactMap(\.baseline).median },
            ratio: row.baseline.map { _ in pairs.compactMap { pair in pair.baseline.map { pair.subject / $0 } }.median }
        )
    }

    private var preparations: Int { pace == .quick ? 1 : 11 }
    private var pairsEach: ClosedRange<Int> { pace == .quick ? 1...1 : 3...81 }
    private var sampleLength: Duration { pace == .quick ? .microseconds(50) : .milliseconds(1) }
    /// How long one preparation may be used, if that is enough for the fewest pairs.
    private var patience: Duration { pace == .quick ? .zero : .milliseconds(250) }

    private func sample(
        _ subject: Workload, _ baseline: Workload?
    ) async throws -> [(subject: Double, baseline: Double?)] {
        let subject = try await Series(subject, sampleLength)
        let baseline = if let baseline { try await Series(baseline, sampleLength) } else { Series?.none }
        var pairs: [(subject: Double, baseline: Double?)] = []
        let start = ContinuousClock.now
        while pairs.count < pairsEach.lowerBound
            || (pairs.count < pairsEach.upperBound && start.duration(to: .now) < patience)
        {
            // Each goes first in every other pair.
            if pairs.count.isMultiple(of: 2) {
                let first = try await subject.next()
                pairs.append((first, try await baseline?.next()))
            } else {
                let first = try await baseline?.next()
                pairs.append((try await subject.next(), first))
            }
        }
        await subject.end()
        await baseline?.end()
        return pairs
    }

    private func measureAtOnce(_ subject: Workload, _ baseline: Workload) async throws -> Result {
        let wanted = 25
        var subjects: [Double] = []
        var baselines: [Double] = []
        let subject = try await Series(subject, .milliseconds(2))
        let baseline = try await Series(baseline, .milliseconds(2))
        let start = ContinuousClock.now
        while subjects.count < wanted || baselines.count < wanted {
            guard start.duration(to: .now) < .seconds(60) else { throw ProbeError.neverAtOnce }
            if let sample = try await subject.nextAtOnce() { subjects.append(sample) }
            if let sample = try await baseline.nextAtOnce() { baselines.append(sample) }
        }
        await subject.end()
        await baseline.end()
        return Result(
            subject: subjects.median, baseline: baselines.median, ratio: subjects.median / baselines.median
        )
    }
}

/// Samples of one workload, all of the same number of operations.
private struct Series {
    private let session: Session
    private let operations: Int

    /// Finds the number of operations that takes about so long. That warms up as well.
    init(_ workload: Workload, _ length: Duration) async throws {
        session = try await workload.prepare()
        var operations = workload.step
        while try await session.run(operations) < length { operations *= 2 }
        self.operations = operations
    }

    /// Nanoseconds an operation.
    func next() async throws -> Double {
        try await session.run(operations) / .nanoseconds(1) / Double(operations)
    }

    /// The same, or nil if its tasks didn't run at once: all threads together were on a processor for little longer
    /// than one alone could have been.
    func nextAtOnce() async throws -> Double? {
        let before = relux_probes_processor_time()
        let elapsed = try await session.run(operations)
        let busy = Duration.nanoseconds(relux_probes_processor_time() - before)
        return busy / elapsed >= 1.3 ? elapsed / .nanoseconds(1) / Double(operations) : nil
    }

    func end() async { await session.close() }
}

extension [Double] {
    /// The one in the middle, or between the two in the middle; NaN where there is none.
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        let middle = count / 2
        return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
