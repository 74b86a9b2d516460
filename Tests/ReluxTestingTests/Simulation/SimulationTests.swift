import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Simulation", .timeLimit(.minutes(10)))
struct SimulationTests {
    @Test(
        "an ordinary test passes, although an old answer can overwrite a newer one",
        arguments: [Relux.Policy.concurrent, .latest])
    func usualTest(policy: Relux.Policy) async throws {
        let store = try await Relux.Store { Finder.Module(service: PromptFinder(), policy: policy) }

        await store.dispatch(Finder.Find(query: "a")).finished()
        await store.dispatch(Finder.Find(query: "ab")).finished()

        #expect(try await store.state(of: Finder.State.self).answer == "ab!")
    }

    @Test("within 200 seeds, an old answer overwrites a newer one if nothing supersedes it")
    func findsTheClassicMistake() async {
        let report = Shared<Simulation.Report?>(nil)

        let issues = await recordedIssues {
            let found = await Simulation.explore(seeds: 0..<200, Finder.typing(policy: .concurrent))
            report.value = found
        }

        #expect(issues.count == 1)
        #expect(
            report.value?.failure?.failure?.hasPrefix("“the answer is one to the query” (") == true)
        #expect((report.value?.passed ?? 200) < 200)
    }

    @Test("with `.latest`, the newer answer survives in every order")
    func latestHolds() async {
        let report = await Simulation.explore(seeds: 0..<seedCount, Finder.typing(policy: .latest))

        #expect(report.passed == Int(seedCount))
    }

    @Test("a replay repeats a run exactly", arguments: 0..<20 as Range<UInt64>)
    func replays(seed: UInt64) async {
        let first = await Simulation.replay(seed: seed, Finder.typing(policy: .latest))
        let second = await Simulation.replay(seed: seed, Finder.typing(policy: .latest))

        #expect(first == second)
        #expect(first.trace.count > 6)
        #expect(first.failure == nil)
    }

    @Test("a replay of the failing seed fails in the same way")
    func replaysFailures() async throws {
        let outcomes = Shared<[Simulation.Outcome?]>([])

        let issues = await recordedIssues {
            let found = await Simulation.explore(seeds: 0..<200, Finder.typing(policy: .concurrent)).failure
            let again = await Simulation.replay(seed: found?.seed ?? 0, Finder.typing(policy: .concurrent))
            outcomes.value = [found, again]
        }

        #expect(outcomes.value.count == 2)
        #expect(outcomes.value.first??.failure?.hasPrefix("“the answer is one to the query” (") == true)
        #expect(outcomes.value.last??.failure?.hasPrefix("“the answer is one to the query” (") == true)
        #expect(issues.count == 2)
    }

    @Test("different seeds give different orders")
    func seedsDiffer() async {
        var traces: Set<[String]> = []
        for seed in 0..<50 as Range<UInt64> {
            traces.insert(await Simulation.replay(seed: seed, Finder.typing(policy: .latest)).trace)
        }

        #expect(traces.count == 50)
    }

    @Test("virtual time jumps: a day passes at once, and any sleeper with the same deadline may wake first")
    func virtualTime() async {
        let orders = Log<[Int]>()

        await Simulation.explore(seeds: 0..<50) { world in
            let order = Log<Int>()
            for sleeper in 0..<3 {
                world.task {
                    // The tasks go to sleep one after another, and all until the same time.
                    try await world.clock.sleep(for: .seconds(sleeper))
                    try await world.clock.sleep(until: .init(offset: .seconds(86_400)))
                    order.add(sleeper)
                }
            }
            await world.settled()
            #expect(world.clock.now.offset == .seconds(86_400))
            orders.add(order.entries)
        }

        #expect(orders.entries.count == 51)
        #expect(Set(orders.entries).count == 6)
    }

    @Test("latencies, faults and random numbers are determined by the seed and stay in their ranges")
    func chance() async {
        let draws = Log<String>()
        for _ in 0..<2 {
            await Simulation.replay(seed: 11) { world in
                var line = ""
                for _ in 0..<50 {
                    let before = world.clock.now
                    try await world.latency(.milliseconds(2) ... .milliseconds(4))
                    let passed = before.duration(to: world.clock.now)
                    #expect((.milliseconds(2) ... .milliseconds(4)).contains(passed))
                    #expect((1...6).contains(world.random(in: 1...6)))
                    line +=
                        "\(passed) \(world.fails(0.5)) \(world.random(in: 1...6)) \(world.random(of: "abc") ?? " ");"
                }
                #expect(!world.fails(0))
                #expect(world.fails(1))
                #expect(world.random(of: [Int]()) == nil)
                draws.add(line)
            }
        }

        #expect(draws.entries.count == 2)
        #expect(Set(draws.entries).count == 1)
    }

    @Test("latencies may be longer than the nanoseconds that a 64-bit integer counts")
    func longLatencies() async {
        let range = Duration.zero ... .seconds(20_000_000_000)
        let passed = Log<Duration>()

        await Simulation.explore(seeds: 0..<20, timeLimit: .seconds(20_000_000_001)) { world in
            try await world.latency(range)
            passed.add(world.clock.now.offset)
        }

        #expect(passed.entries.count == 21)
        #expect(passed.entries.allSatisfy { range.contains($0) })
        #expect(passed.entries.contains { $0 > .seconds(10_000_000_000) })
    }

    @Test("a latency that ignores cancellation runs to its end, another one is cut short")
    func cancelledLatencies() async {
        await Simulation.explore(seeds: 0..<20) { world in
            let deaf = world.task {
                try await world.latency(.seconds(1) ... .seconds(1), heedsCancellation: false)
                return world.clock.now.offset
            }
            let quick = world.task { try await world.latency(.seconds(5) ... .seconds(5)) }
            deaf.cancel()
            quick.cancel()

            let deafEnd = try await deaf.value
            await #expect(throws: CancellationError.self) { try await quick.value }
            #expect(deafEnd == .seconds(1))
            #expect(world.clock.now.offset == .seconds(1))
        }
    }

    @Test("a seed ends when its tasks have ended and its stores are idle, apart from watchers")
    func end() async {
        let ends = Log<String?>()

        await Simulation.replay(seed: 1) { world in
            let store = try await world.store {
                Finder.Module(service: SlowFinder(world: world))
                Ticker.Module()
            }
            world.finally("the answer is there", of: Finder.State.self) { state in
                ends.add(state.answer)
                return state.answer != nil
            }
            world.task {
                try await world.latency(.seconds(1) ... .seconds(2))
                await store.dispatch(Finder.Find(query: "late"))
            }
        }

        #expect(ends.entries == ["late!"])
    }

    @Test("a seed also waits for a task that a saga starts in the world, and for what that task triggers")
    func endOfTheLast() async {
        let ends = Log<String?>()

        await Simulation.explore(seeds: 0..<20) { world in
            let store = Shared<Relux.Store?>(nil)
            let finder = DelegatingFinder(world: world) { await store.value?.dispatch(Finder.Find(query: "last")) }
            store.value = try await world.store { Finder.Module(service: finder, policy: .concurrent) }
            world.finally("the last one is answered", of: Finder.State.self) { state in
                ends.add(state.answer)
                return state.answer == "last!"
            }
            await store.value?.dispatch(Finder.Find(query: "first"))
        }

        #expect(ends.entries.count == 21)
    }

    @Test("when the seed is over, nothing keeps the world or its stores alive")
    func lifetime() async {
        let worlds = Log<Weak<Simulation.World>>()
        let stores = Log<Weak<Relux.Store>>()
        let executors = Log<Weak<SeededExecutor>>()

        await Simulation.explore(seeds: 0..<5) { world in
            worlds.add(Weak(world))
            executors.add(Weak(world.executor))
            let store = try await world.store {
                Finder.Module(service: SlowFinder(world: world))
                Ticker.Module()
            }
            stores.add(Weak(store))
            world.always("it is there") { [world, store] _ in world.seed < 5 && store === store }
            await store.dispatch(Finder.Find(query: "a"))
        }

        #expect(worlds.entries.count == 6)
        #expect(worlds.entries.allSatisfy { $0.object == nil })
        #expect(stores.entries.allSatisfy { $0.object == nil })
        #expect(executors.entries.allSatisfy { $0.object == nil })
    }

    @Test("neither does what the scenario creates after a failure")
    func lifetimeAfterFailure() async {
        let worlds = Log<Weak<Simulation.World>>()

        let report = await Simulation.search(seeds: 0..<1) { world in
            worlds.add(Weak(world))
            let first = try await world.store { Tray.Module(opens: true) }
            world.always("never", of: Tray.State.self) { !$0.isOpen }
            await first.dispatch(Tray.State.Action.opened)
            let second = try await world.store {
                Finder.Module(service: SlowFinder(world: world))
                Ticker.Module()
            }
            world.always("it is there") { [world, second] _ in world.seed < 5 && second === second }
        }

        #expect(report.failure != nil)
        #expect(!worlds.entries.isEmpty)
        #expect(worlds.entries.allSatisfy { $0.object == nil })
    }

    @Test("cancelling the test ends the exploration")
    func cancellation() async {
        let gate = Gate()
        let exploration = Task {
            await gate.pass()
            return await Simulation.explore(seeds: 0..<1_000_000) { _ in }
        }
        await gate.arrivals()

        exploration.cancel()
        gate.open()

        #expect(await exploration.value.passed == 0)
    }
}

/// Answers the first query at once, and starts a task that calls a closure later.
private struct DelegatingFinder: FinderService {
    let world: Simulation.World
    let goOn: @Sendable () async -> Void

    func answer(to query: String) async throws -> String {
        if query == "first" {
            world.task {
                try await world.latency(.milliseconds(1) ... .milliseconds(9))
                await goOn()
            }
        } else {
            try await world.latency(.milliseconds(1) ... .milliseconds(9))
        }
        return "\(query)!"
    }
}

/// Without optimisation, the full number of seeds takes too long.
#if DEBUG
    private let seedCount: UInt64 = 1_000
#else
    private let seedCount: UInt64 = 10_000
#endif

/// A watcher that never ends.
enum Ticker {
    struct Watcher: Relux.Watcher {
        func watch(in context: Relux.SagaContext) async throws {
            while true { try await context.sleep(for: .seconds(1)) }
        }
    }

    struct Module: Relux.Module {
        var watchers: [any Relux.Watcher] { [Watcher()] }
    }
}

final class Weak<Object: AnyObject & Sendable>: Sendable {
    // The reference is written only here. The runtime clears it when the object is released, which is safe from any
    // thread.
    weak let object: Object?

    init(_ object: Object) {
        self.object = object
    }
}
