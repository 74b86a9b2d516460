import ReluxTesting
import TestFixtures
import Testing

@Suite("Twenty classical bugs", .timeLimit(.minutes(10)))
struct BugTests {
    @Test("each is found within 200 seeds, and its token repeats it", arguments: Bug.all)
    func found(bug: Bug) async {
        let scenario: Simulation.Scenario = { world in try await bug.scenario(world, false) }

        let report = await Simulation.search(seeds: 0..<200, scenario)
        let replayed = Shared<Simulation.Outcome?>(nil)
        _ = await recordedIssues {
            let outcome = await Simulation.replay(report.failure?.token ?? "", scenario)
            replayed.value = outcome
        }

        #expect(report.failure != nil)
        #expect(replayed.value?.failure == report.failure?.failure)
        #expect(replayed.value?.trace == report.failure?.trace)
    }

    @Test("the corrected version passes", arguments: Bug.all)
    func corrected(bug: Bug) async {
        await Simulation.explore(seeds: seeds(seedCount)) { world in try await bug.scenario(world, true) }
    }

    @Test("there are twenty kinds")
    func count() {
        #expect(Set(Bug.all.map(\.name)).count == 20)
    }
}

/// Without optimisation, the full number of seeds takes too long.
#if DEBUG
    private let seedCount: UInt64 = 200
#else
    private let seedCount: UInt64 = 1_000
#endif
