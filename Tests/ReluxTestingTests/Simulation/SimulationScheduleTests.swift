import Relux
import ReluxTesting
import Testing

@Suite("Schedules of a simulation", .timeLimit(.minutes(10)))
struct SimulationScheduleTests {
    // MARK: Strategies

    @Test("the plain order comes first: first in, first out, with the shortest latencies and no faults")
    func plainOrder() async {
        let runs = Log<[String]>()

        await Simulation.explore(seeds: 0..<3) { world in
            let lines = Log<String>()
            for name in ["a", "b", "c"] {
                world.task { lines.add(name) }
            }
            await world.settled()
            let start = world.clock.now
            try await world.latency(.milliseconds(2) ... .milliseconds(9))
            lines.add("\(start.duration(to: world.clock.now))")
            lines.add("\(world.fails(0.999)) \(world.random(in: 3...9)) \(world.random(of: [7, 8]) ?? 0)")
            var random = world.random
            lines.add("\(Int.random(in: 1...6, using: &random)) \([1, 2, 3].shuffled(using: &random).count)")
            runs.add(lines.entries)
        }

        #expect(runs.entries.count == 4)
        #expect(runs.entries.first?.dropLast() == ["a", "b", "c", "0.002 seconds", "false 3 7"])
        #expect(runs.entries.first?.last == "1 3")
    }

    @Test("a failure of the plain order has no seed")
    func plainFailure() async {
        let report = await Simulation.search(seeds: 0..<10) { _ in throw Wrong() }

        #expect(report.passed == 0)
        #expect(report.failure?.seed == nil)
        #expect(report.failure?.description.hasPrefix("The plain order fails.") == true)
    }

    @Test("a task that is held back for long is found, which uniform choices hardly ever do")
    func starvation() async {
        let report = await Simulation.search(seeds: 0..<200) { world in
            let isWarm = Shared(false)
            let isServed = Shared(false)
            world.task { isWarm.value = true }
            world.task {
                // Waits for nothing: each is a point at which the seed decides who continues. After twenty, the first
                // task is expected to have run.
                for _ in 0..<20 { await Task.yield() }
                if !isWarm.value { throw Wrong() }
                isServed.value = true
            }
        }

        #expect(report.failure != nil)
    }

    @Test("a short timer can overtake work that could run before it, but not in the plain order, and no long one can")
    func earlyTime() async {
        let cases: [(deadline: Duration, ticks: Int, passesEarly: Bool, isFound: Bool)] = [
            (.milliseconds(1), 0, true, true), (.milliseconds(1), 0, false, false), (.seconds(60), 0, true, false),
            // Short timers that follow each other don't add up to a long one.
            (.milliseconds(900), 2, true, true), (.seconds(2), 4, true, false),
        ]
        for (deadline, ticks, passesEarly, isFound) in cases {
            let report = await Simulation.search(seeds: 0..<1_000, timePassesEarly: passesEarly) { world in
                let isDone = Shared(false)
                world.task {
                    // Waits for nothing: each is a point at which the seed decides who continues.
                    for _ in 0..<3 { await Task.yield() }
                    isDone.value = true
                }
                world.task { for _ in 0..<ticks { try await world.clock.sleep(for: .milliseconds(600)) } }
                world.task {
                    try await world.clock.sleep(for: deadline)
                    if !isDone.value { throw Wrong() }
                }
            }
            #expect((report.failure != nil) == isFound, "\(deadline) with \(ticks) ticks")
        }
    }

    // MARK: Shrinking

    @Test("a failure is shrunk to the decisions that matter, and its token repeats exactly that schedule")
    func shrinking() async throws {
        let report = await Simulation.search(seeds: 0..<500, Self.race)
        let failure = try #require(report.failure)
        let seed = try #require(failure.seed)

        let whole = Shared<Simulation.Outcome?>(nil)
        let replayed = Shared<[Simulation.Outcome]>([])
        let issues = await recordedIssues {
            let outcome = await Simulation.replay(seed: seed, Self.race)
            whole.value = outcome
            for _ in 0..<3 {
                let outcome = await Simulation.replay(failure.token, Self.race)
                replayed.value.append(outcome)
            }
        }

        #expect(issues.count == 4)
        #expect(replayed.value.allSatisfy { $0.failure == failure.failure && $0.trace == failure.trace })
        #expect(replayed.value.allSatisfy { $0.token == failure.token })
        // The length of a token is that of its unusual decisions.
        #expect(failure.token.count * 4 < whole.value?.token.count ?? 0)
        #expect(failure.token.count < 40)
        #expect(failure.description.contains(failure.token))
    }

    @Test("a schedule that fails in another way is not a shrunk one")
    func sameFailure() async {
        let report = await Simulation.search(seeds: 0..<200) { world in
            if world.fails(0.5) { throw Wrong() }
            // Without the fault, a number decides.
            if world.random(in: 0...9) == 9 { throw OtherWrong() }
        }

        #expect(
            report.failure?.failure == "The scenario threw: Wrong()"
                || report.failure?.failure?.contains("Other") == true)
        let kind = report.failure?.failure
        let again = Shared<Simulation.Outcome?>(nil)
        _ = await recordedIssues {
            let outcome = await Simulation.replay(seed: report.failure?.seed ?? 0) { world in
                if world.fails(0.5) { throw Wrong() }
                if world.random(in: 0...9) == 9 { throw OtherWrong() }
            }
            again.value = outcome
        }
        #expect(again.value?.failure == kind)
    }

    // When the first of two smaller numbers had shortened the tape, the shrinker wrote the second one after its end.
    @Test("a failure is shrunk although its last number turns out not to matter")
    func shrinkingToFewerDraws() async {
        let report = await Simulation.search(seeds: 0..<20) { world in
            let random = world.random
            let (first, second) = (random.next(), random.next())
            // The second number matters only until the first one has been rounded.
            if first > 1, second > 1 || first % (1 << 60) == 0 { throw Wrong() }
        }

        #expect(report.failure?.failure == "The scenario threw: Wrong()")
    }

    @Test("a failure is reported with the fewest lines that were found, although plainer decisions make more")
    func fewestLines() async {
        let report = await Simulation.search(seeds: 0..<20) { world in
            let random = world.random
            let (first, second, third) = (random.next(), random.next(), random.next())
            // No seed draws 0, but shrinking does.
            if second == 0 { for line in 0..<20 { world.note("second \(line)") } }
            if third == 0, second != 0 { for line in 0..<10 { world.note("third \(line)") } }
            if first > 1 { throw Wrong() }
        }
        let trace = report.failure?.trace ?? []

        #expect(report.failure?.failure == "The scenario threw: Wrong()")
        #expect(trace == [])
        let again = Shared<Simulation.Outcome?>(nil)
        _ = await recordedIssues {
            let token = report.failure?.token ?? ""
            let outcome = await Simulation.replay(token) { world in
                let random = world.random
                let (first, second, third) = (random.next(), random.next(), random.next())
                // Simplified as far as the trace doesn't grow.
                #expect(first.nonzeroBitCount == 1 && second.nonzeroBitCount == 1 && third.nonzeroBitCount == 1)
            }
            again.value = outcome
        }
        #expect(again.value?.failure == nil)
    }

    @Test("shrinking a scenario that never ends takes a few times as many jobs as its limit")
    func endlessShrinking() async {
        let turns = Shared(0)
        let report = await Simulation.search(seeds: 0..<1) { world in
            let draws = (0..<100).map { _ in world.random.next() }
            guard draws.contains(where: { $0 > 1 }) else { return }
            world.task("the clock") {
                while true {
                    turns.value += 1
                    try await world.clock.sleep(for: .seconds(1))
                }
            }
        }

        #expect(report.failure?.failure?.hasPrefix("It hasn't ended after 50") == true)
        // The plain order, the seed, one or two attempts to shrink it, and the repetition, with 50,000 jobs each.
        #expect(turns.value > 100_000 && turns.value <= 250_000)
    }

    @Test("what is not a token is reported", arguments: ["", "nonsense!", "zzzz"])
    func wrongToken(token: String) async {
        let issues = await recordedIssues { await Simulation.replay(token) { _ in } }

        #expect(issues.count == 1)
        #expect(issues.first?.text.contains("is not a token of a schedule") == true)
    }

    // MARK: Coverage

    @Test("a report tells how many orders were tried, and whether others were still appearing")
    func coverage() async {
        let few = await Simulation.search(seeds: 0..<300) { world in
            let store = try await world.store { Quiz.Module() }
            for number in 1...2 { world.task { await store.dispatch(Quiz.Note.asked(number)) } }
        }
        let many = await Simulation.search(seeds: 0..<300) { world in
            let store = try await world.store { Quiz.Module() }
            for number in 1...9 { world.task { await store.dispatch(Quiz.Note.asked(number)) } }
        }

        #expect(few.orders == 2)
        #expect(few.isSaturated)
        #expect(few.description.hasPrefix("300 seeds passed in 2 orders; no new one since the seed number "))
        #expect(many.orders > 100)
        #expect(!many.isSaturated)
        #expect(many.description == "300 seeds passed in \(many.orders) orders; new ones were still appearing")
    }

    @Test("actions that aren't hashable are told apart by their contents")
    func coverageOfContents() async {
        struct Mark: Relux.Action {
            enum Detail { case first, second, other(Int) }

            let detail: Detail
        }
        struct Marks: Relux.State {
            mutating func reduce(_ action: Mark) {}
        }
        struct Module: Relux.Module {
            var states: [any Relux.State] { [Marks()] }
        }
        let details: [Mark.Detail] = [.first, .second, .other(3)]

        let report = await Simulation.search(seeds: 0..<300) { world in
            let store = try await world.store { Module() }
            for detail in details { world.task { await store.dispatch(Mark(detail: detail)) } }
        }

        #expect(report.orders == 6)
    }

    @Test("seeds that are explored side by side give the report of the first failure", arguments: 0..<20)
    func sideBySide(attempt: Int) async {
        let report = await Simulation.search(seeds: 100..<300) { world in
            // Later seeds are much quicker, and fail first.
            let store = try await world.store { Quiz.Module() }
            if world.seed < 150 {
                for number in 0..<50 { await store.dispatch(Quiz.Note.asked(number)) }
            }
            await store.dispatch(Quiz.Note.asked(Int(world.seed)))
            if world.seed == 133 || world.seed > 150 { throw Wrong() }
        }

        #expect(report.passed == 33)
        #expect(report.failure?.seed == 133)
        #expect(report.orders == 34)
    }

    // MARK: Trace

    @Test("notes, latencies and faults are part of the trace")
    func notes() async {
        let trace = await Simulation.replay(seed: 0) { world in
            world.note("the server restarts")
            try await world.latency(.milliseconds(5) ... .milliseconds(5))
            _ = world.fails(1)
            _ = world.fails(0)
        }.trace

        #expect(trace == ["    0 s  note: the server restarts", "    0 s  latency of 0.005 s", "0.005 s  fault"])
    }

    // MARK: Liveness and limits

    @Test("a condition that holds in time lets the scenario go on at that time")
    func eventually() async {
        await Simulation.explore(seeds: 0..<50) { world in
            let store = try await world.store { Finder.Module(service: SlowFinder(world: world)) }
            await store.dispatch(Finder.Find(query: "a"))

            await world.eventually("there is an answer", of: Finder.State.self, within: .milliseconds(50)) { state in
                state.answer == "a!"
            }
            #expect(world.clock.now.offset <= .milliseconds(50))
            let holds = await world.eventually("there is one", of: Finder.State.self, within: .zero) {
                $0.answer != nil
            }
            #expect(holds)
        }
    }

    @Test("a condition that doesn't hold in time fails the seed with the state and its line")
    func neverHolds() async {
        let line = Shared(0)
        let report = await Simulation.search(seeds: 0..<5) { world in
            let store = try await world.store { Finder.Module(service: SlowFinder(world: world)) }
            await store.dispatch(Finder.Find(query: "a"))
            line.value = #line + 1
            await world.eventually("it is b", of: Finder.State.self, within: .seconds(5)) { $0.answer == "b!" }
        }

        #expect(
            report.failure?.failure == """
                “it is b” (ReluxTestingTests/SimulationScheduleTests.swift:\(line.value)) didn't hold within 5 s.

                    Finder.State(query: "a", answer: Optional("a!"), hasFailed: false)
                """
        )
    }

    @Test("a loop that never becomes idle ends at a limit, with a bounded trace", arguments: [true, false])
    func endless(sleeps: Bool) async {
        let report = await Simulation.search(seeds: 0..<5) { world in
            let store = try await world.store { Treadmill.Module(sleeps: sleeps) }
            await store.dispatch(Treadmill.Start())
        }

        #expect(report.failure?.failure?.hasPrefix("It hasn't ended ") == true)
        #expect(report.failure?.failure?.contains("Busy: Treadmill.Saga #1 (active)") == true)
        #expect((report.failure?.trace.count ?? 0) <= 4_001)
    }

    @Test("a simulation may have a limit of virtual time")
    func timeLimit() async {
        let report = await Simulation.search(seeds: 0..<5, timeLimit: .seconds(10)) { world in
            try await world.clock.sleep(for: .seconds(60))
        }

        #expect(report.failure?.failure?.hasPrefix("It hasn't ended by 60 s of its virtual time.") == true)
    }

    /// Two of twenty tasks must not meet.
    private static let race: Simulation.Scenario = { world in
        let store = try await world.store { Quiz.Module() }
        let last = Shared(0)
        for number in 1...20 {
            world.task {
                await store.dispatch(Quiz.Note.asked(number))
                if number == 5, last.value == 9 { throw Wrong() }
                last.value = number
                try await world.latency(.zero ... .milliseconds(20))
                await store.dispatch(Quiz.Note.asked(number))
            }
        }
    }
}

private struct Wrong: Error {}
private struct OtherWrong: Error {}

/// A saga that never ends.
private enum Treadmill {
    struct Start: Relux.Effect {}
    enum Step: Relux.Action, Hashable { case taken }

    struct State: Relux.State {
        typealias Action = Step

        var steps = 0

        mutating func reduce(_ action: Step) { steps += 1 }
    }

    struct Saga: Relux.Saga {
        let sleeps: Bool

        func run(_ trigger: Start, in context: Relux.SagaContext) async throws {
            while true {
                if sleeps { try await context.sleep(for: .seconds(3_600)) }
                await context.dispatch(Step.taken)
            }
        }
    }

    struct Module: Relux.Module {
        let sleeps: Bool

        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [Saga(sleeps: sleeps)] }
    }
}
