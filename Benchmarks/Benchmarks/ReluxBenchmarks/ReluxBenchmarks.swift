import Benchmark
import Workloads

/// Every timed workload of the budgets, subjects and baselines, with the statistics of the benchmark package.
let benchmarks: @Sendable () -> Void = {
    var names: Set<String> = []
    for row in Row.all {
        switch row.figure {
        case .time, .instructions: break
        case .allocations, .bytes, .growth, .text: continue
        }
        for workload in [row.subject, row.baseline].compactMap(\.self) where names.insert(workload.name).inserted {
            add(workload)
        }
    }
}

private func add(_ workload: Workload) {
    // A thousand operations per iteration, or as few as the workload can run at once.
    let scaling: BenchmarkScalingFactor = workload.step <= 1_000 ? .kilo : .one
    let operations = workload.step <= 1_000 ? 1_000 : workload.step
    Benchmark(
        workload.name,
        configuration: .init(
            metrics: [.wallClock, .throughput],
            warmupIterations: 1,
            scalingFactor: scaling,
            maxDuration: .seconds(1),
            maxIterations: .count(1_000)
        ),
        closure: { benchmark, session in
            benchmark.startMeasurement()
            _ = try await session.run(operations)
            benchmark.stopMeasurement()
        },
        setup: { try await workload.prepare() }
    )
}
