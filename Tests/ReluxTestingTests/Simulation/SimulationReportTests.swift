import Foundation
import Relux
import ReluxTesting
import Testing

@Suite("Reports of a simulation", .timeLimit(.minutes(10)))
struct SimulationReportTests {
    @Test("the calls that repeat a failure have the arguments of the exploration")
    func repetition() async {
        let report = await Simulation.search(
            seeds: 3...3, jobLimit: 60, timeLimit: .milliseconds(1500), timePassesEarly: false
        ) { world in
            if world.seed == 3 { throw Broken() }
        }
        let plain = await Simulation.search(seeds: 3...3, timeLimit: .seconds(90)) { _ in throw Broken() }

        let arguments = ", jobLimit: 60, timeLimit: .milliseconds(1500), timePassesEarly: false)`"
        let token = report.failure?.token ?? ""
        #expect(
            report.failure?.description.hasSuffix(
                """
                `Simulation.replay("\(token)"\(arguments) repeats this schedule, the simplest one found that fails. \
                `Simulation.replay(seed: 3\(arguments) repeats the seed as it was.
                """
            ) == true
        )
        #expect(plain.failure?.description.hasSuffix("\", timeLimit: .seconds(90))` repeats it.") == true)
    }

    @Test("the page of a failure has the advice of its text", arguments: [true, false])
    func advice(isRepeatable: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "advice-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let isFirst = Shared(true)
        let failure = Shared<Simulation.Outcome?>(nil)

        _ = await recordedIssues {
            let report = await Simulation.explore(seeds: 5...5, jobLimit: 60, traces: folder) { world in
                _ = try await world.store { Finder.Module(service: PromptFinder()) }
                guard isFirst.value || isRepeatable else { return }
                isFirst.value = false
                throw Broken()
            }
            failure.value = report.failure
        }

        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        let page = try #require(names.first { $0.hasSuffix(".html") })
        let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
        let token = failure.value?.token ?? ""
        let advice = isRepeatable ? "repeats it." : "tries it again."
        #expect(text.contains("jobLimit: 60)` \(advice)"), "\(token)")
    }

    @Test("a limit of any duration is an argument in Swift")
    func repetitionWithin() async {
        let limits: [Duration] = [.microseconds(1001), .nanoseconds(7), Duration(attoseconds: 1)]
        var texts: [String] = []
        for limit in limits {
            let text = await Simulation.replay(seed: 0, timeLimit: limit) { _ in }.description
            texts.append(String(text.split(separator: "timeLimit: ").last ?? ""))
        }

        #expect(
            texts == [
                ".microseconds(1001))` repeats it.", ".nanoseconds(7))` repeats it.",
                "Duration(attoseconds: 1))` repeats it.",
            ]
        )
    }

    @Test("a failure that the same schedule doesn't repeat is reported as such", arguments: [0, 5])
    func unrepeatable(seed: UInt64) async {
        let isFirst = Shared(true)
        let report = await Simulation.search(seeds: 5...5) { world in
            // The plain order has the seed 0.
            guard isFirst.value, world.seed == seed else { return }
            isFirst.value = false
            throw Broken()
        }

        let token = report.failure?.token ?? ""
        #expect(report.failure?.failure == "The scenario threw: Broken()")
        #expect(
            report.failure?.description.hasSuffix(
                """
                A schedule that had failed passed when it was repeated. Something outside the schedule decides \
                whether it fails: the order of a set or a dictionary, the time of day, state that the runs share, or other \
                threads. `Simulation.replay("\(token)")` tries it again.
                """
            ) == true
        )
    }

    @Test("a failure that the same schedule replaces by another one is reported as such")
    func differentlyRepeated() async {
        let isFirst = Shared(true)
        let report = await Simulation.search(seeds: 0..<1) { _ in
            guard isFirst.value else { throw CancellationError() }
            isFirst.value = false
            throw Broken()
        }

        #expect(report.failure?.failure == "The scenario threw: Broken()")
        #expect(report.failure?.description.contains("failed differently when it was") == true)
    }
}

private struct Broken: Error {}
