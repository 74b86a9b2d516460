import Probes
import Workloads

/// Times a workload and its baseline alternately.
///
/// It takes many short samples in pairs, one of each workload, so that other load on the machine affects both. The
/// ratio is the median of the ratios of the pairs. Everything is prepared several times, because the placement in
/// memory differs each time.
///
/// Tasks that are supposed to contend don't if other programs leave them only one processor: they then run one after
/// another, undisturbed. For such workloads, only samples that used more than one processor count.
struct Sampler {
    /// The result, in nanoseconds per operation.
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
    /// How long one preparation may be sampled, once it has yielded the minimum number of pairs.
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
            // The subject and the baseline take turns in going first.
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

/// Samples of one workload, all with the same number of operations.
private struct Series {
    private let session: Session
    private let operations: Int

    /// Finds the number of operations that takes at least the given time. This also serves as the warm-up.
    init(_ workload: Workload, _ length: Duration) async throws {
        session = try await workload.prepare()
        var operations = workload.step
        while try await session.run(operations) < length { operations *= 2 }
        self.operations = operations
    }

    /// Takes a sample, in nanoseconds per operation.
    func next() async throws -> Double {
        try await session.run(operations) / .nanoseconds(1) / Double(operations)
    }

    /// Takes a sample, or returns nil if its tasks did not run in parallel.
    ///
    /// In that case, the processor time of all threads was little more than a single thread could have used.
    func nextAtOnce() async throws -> Double? {
        let before = relux_probes_processor_time()
        let elapsed = try await session.run(operations)
        let busy = Duration.nanoseconds(relux_probes_processor_time() - before)
        return busy / elapsed >= 1.3 ? elapsed / .nanoseconds(1) / Double(operations) : nil
    }

    func end() async { await session.close() }
}

extension [Double] {
    /// The median: the middle element, or the mean of the two in the middle; NaN if there are none.
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        let middle = count / 2
        return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
