import Relux
import ReluxTesting
import Testing

@Suite("Reports of a simulation")
struct SimulationReportTests {
    @Test("The calls that repeat a failure have the arguments of the exploration")
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

    @Test("A limit of any duration is an argument in Swift")
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
}

private struct Broken: Error {}
