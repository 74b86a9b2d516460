import Foundation
import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Failures of a simulation", .timeLimit(.minutes(10)))
struct SimulationFailureTests {
    @Test("an invariant that doesn't hold after an action fails with the action, the seed and the trace")
    func brokenAlways() async {
        let line = #line + 6
        let text = await failureText(seed: 3) { world in
            let store = try await world.store { Finder.Module(service: PromptFinder()) }
            world.always("nobody asks for b", of: Finder.State.self) { $0.query != "b" }
            await store.dispatch(Finder.Find(query: "a")).finished()
            try await world.clock.sleep(for: .milliseconds(1500))
            await store.dispatch(Finder.Find(query: "b")).finished()
        }

        #expect(
            text == """
                Seed 3 fails.

                “nobody asks for b” (\(file):\(line - 3)) doesn't hold after #3, Finder.Find(query: "b") (\(file):\(line)).

                    Finder.State(query: "b", answer: nil, hasFailed: false)

                What happened, in order:
                      0 s  registered Finder.Module
                      0 s  #1 Finder.Find(query: "a")
                      0 s  Finder.Saga #1 started
                      0 s  #2 Finder.State.Action.answered("a!") from Finder.Saga #1
                      0 s  Finder.Saga #1 finished
                    1.5 s  #3 Finder.Find(query: "b")

                `Simulation.replay(seed: 3)` repeats it.
                """
        )
    }

    @Test("the issue is recorded at the line of the call")
    func location() async {
        let line = Shared(0)
        let issues = await recordedIssues {
            line.value = #line + 1
            await Simulation.explore(seeds: 0..<1) { _ in throw Broken() }
        }

        #expect(issues.map(\.location?.line) == [line.value])
        #expect(issues.first?.location?.fileID == file)
    }

    @Test("with several stores, the failure and the trace say which one")
    func severalStores() async {
        let line = #line + 5
        let text = await failureText(seed: 0) { world in
            _ = try await world.store { Finder.Module(service: PromptFinder()) }
            let second = try await world.store { Finder.Module(service: PromptFinder()) }
            world.always("nobody asks for b", of: Finder.State.self) { $0.query != "b" }
            await second.dispatch(Finder.Find(query: "b"))
        }

        #expect(
            text == """
                Seed 0 fails.

                “nobody asks for b” (\(file):\(line - 1)) doesn't hold after #1 of store 2, Finder.Find(query: "b") \
                (\(file):\(line)).

                    Finder.State(query: "b", answer: nil, hasFailed: false)

                What happened, in order:
                    0 s  store 1  registered Finder.Module
                    0 s  store 2  registered Finder.Module
                    0 s  store 2  #1 Finder.Find(query: "b")

                `Simulation.replay(seed: 0)` repeats it.
                """
        )
    }

    @Test("an invariant that throws, and one that doesn't hold at the end, are reported as such")
    func otherChecks() async {
        let line = #line + 4
        let throwing = await failure { world in
            let store = try await world.store { Finder.Module(service: PromptFinder()) }
            world.always("it can be read") { states in try states.state(of: Unowned.self).isThere }
            await store.dispatch(Finder.Find(query: "a"))
        }
        let final = await failure { world in
            let store = try await world.store { Finder.Module(service: PromptFinder()) }
            world.finally("b was asked for") { states in states[Finder.State.self]?.query == "b" }
            await store.dispatch(Finder.Find(query: "a"))
        }

        #expect(
            throwing == """
                “it can be read” (\(file):\(line - 1)) can't be checked after #1, Finder.Find(query: "a") (\(file):\(line)): \
                No registered module owns ReluxTestingTests.Unowned (\(file):\(line - 1)). Register the module that lists \
                it in `states`.

                    Finder.State(query: "a", answer: nil, hasFailed: false)
                """
        )
        #expect(
            final == """
                “b was asked for” (\(file):\(line + 4)) doesn't hold at the end.

                    Finder.State(query: "a", answer: Optional("a!"), hasFailed: false)
                """
        )
    }

    @Test("an error thrown by the scenario or by one of its tasks is its failure")
    func thrownErrors() async {
        let line = #line + 3
        let scenario = await failure { _ in throw Broken() }
        let named = await failure { world in world.task("the other user") { throw Broken() } }
        let unnamed = await failure { world in world.task { throw Broken() } }
        let cancelled = await Simulation.search(seeds: 0..<10) { world in world.task { throw CancellationError() } }

        #expect(scenario == "The scenario threw: Broken()")
        #expect(named == "The task “the other user” threw: Broken()")
        #expect(unnamed == "The task at \(file):\(line) threw: Broken()")
        #expect(cancelled.failure == nil)
    }

    @Test("issues recorded in the scenario, in a task and in a saga fail the seed, and nothing else")
    func expectations() async {
        let places: [Simulation.Scenario] = [
            { _ in Issue.record("here") },
            { world in world.task { Issue.record("here") } },
            { world in
                let store = try await world.store { Finder.Module(service: RecordingFinder()) }
                await store.dispatch(Finder.Find(query: "a"))
            },
            { _ in _ = try #require(nil as Int?, "here") },
            { _ in #expect(Bool(false), "here") },
        ]

        for place in places {
            let text = await Simulation.search(seeds: 0..<3, place).failure?.failure

            #expect(text?.contains("here") == true)
            #expect(text?.contains("\(file):") == true)
        }
    }

    @Test("warnings and known issues in a scenario don't fail it")
    func otherIssues() async {
        let report = await Simulation.search(seeds: 0..<3) { _ in
            withKnownIssue { Issue.record("known") }
        }

        #expect(report.passed == 3)
    }
}

// MARK: - Saying nothing, and saying too much

extension SimulationFailureTests {
    @Test("an exploration without seeds fails")
    func noSeeds() async {
        let issues = await recordedIssues { await Simulation.explore(seeds: 0..<0) { _ in } }

        #expect(issues.map(\.text) == ["There are no seeds, so nothing was explored."])
    }

    @Test("a failed `#require` is reported once, without the error that it throws")
    func failedRequirement() async {
        let scenario = await failure { _ in _ = try #require(nil as Int?, "here") }
        let task = await failure { world in world.task { _ = try #require(nil as Int?, "here") } }

        for text in [scenario, task] {
            #expect(text?.contains("here") == true)
            #expect(text?.contains("threw") == false)
            #expect((text?.count ?? 0) < 200)
        }
    }
}

// MARK: - Whose issue it is

extension SimulationFailureTests {
    @Test("a seed fails although its issues are expected around the exploration, and so is the one it reports")
    func knownExploration() async {
        let report = Shared<Simulation.Report?>(nil)
        let replayed = Shared<Simulation.Outcome?>(nil)
        let texts = Log<String>()

        await withKnownIssue {
            let found = await Simulation.explore(seeds: 0..<5) { _ in Issue.record("here") }
            report.value = found
            let again = await Simulation.replay(seed: 4) { _ in Issue.record("here") }
            replayed.value = again
        } matching: { issue in
            texts.add(issue.comments.first?.rawValue ?? "")
            return true
        }

        #expect(report.value?.passed == 0)
        #expect(report.value?.failure != nil)
        #expect(replayed.value?.failure?.contains("here") == true)
        #expect(texts.entries.count == 2)
        #expect(texts.entries.first?.hasPrefix("The plain order fails.") == true)
    }

    // An expectation that failed in another test's run, started by a `send`, reaches every test that is running at the
    // moment. It used to fail the seed of an innocent simulation.
    @Test("an issue that Swift Testing broadcasts belongs to the simulation whose thread recorded it")
    func broadcasts() async {
        let capture = IssueCapture()
        let other = IssueCapture()

        let answers = capture.drive { _ in
            let stranger = Shared(true)
            let hasAsked = DispatchSemaphore(value: 0)
            DispatchQueue(label: "another test").async {
                stranger.value = capture.takesBroadcasts
                hasAsked.signal()
            }
            hasAsked.wait()
            return [capture.takesBroadcasts, other.takesBroadcasts, stranger.value]
        }

        #expect(answers == [true, false, false])
        #expect(!capture.takesBroadcasts)
    }

    @Test("so does an issue of the main actor's thread while the simulation executes code there")
    func guestBroadcasts() async {
        let capture = IssueCapture()

        let answers = capture.drive { lend in
            let answers = Shared<[Bool]>([])
            let hasAsked = DispatchSemaphore(value: 0)
            DispatchQueue(label: "the main actor").async {
                answers.value.append(capture.takesBroadcasts)
                lend { answers.value.append(capture.takesBroadcasts) }
                answers.value.append(capture.takesBroadcasts)
                hasAsked.signal()
            }
            hasAsked.wait()
            return answers.value
        }

        #expect(answers == [false, true, false])
    }

    @Test("a task that was cancelled while it performed doesn't fail its seed, but another `cancelled` does")
    func cancelledPerform() async {
        let asking: Simulation.Scenario = { world in
            let store = try await world.store { Quiz.Module() }
            let asking = world.task { try await store.perform(Quiz.Ask()) }
            try await world.clock.sleep(for: .milliseconds(500))
            asking.cancel()
        }
        let surprised: Simulation.Scenario = { world in
            let store = try await world.store { Quiz.Module() }
            world.task("the user") { try await store.perform(Quiz.Ask()) }
            try await world.clock.sleep(for: .milliseconds(500))
            await store.cancel(Quiz.Flow.self)
        }

        let quiet = await Simulation.search(seeds: 0..<20, asking)
        let loud = await failure(surprised)

        #expect(quiet.failure == nil)
        #expect(loud == "The task “the user” threw: The effect was cancelled.")
    }
}

// MARK: - Work that leaves the scheduler, and work that doesn't end

extension SimulationFailureTests {
    @Test("a scenario that waits for work elsewhere fails at once, and the failure names the busy work")
    func standstill() async {
        let line = #line + 5
        let gate = Gate()
        let text = await failure { world in
            let store = try await world.store { Finder.Module(service: GatedFinder(gate: gate)) }
            world.task("the reader") { await gate.pass() }
            await store.dispatch(Finder.Find(query: "a"))
        }
        gate.open()

        #expect(
            text == """
                Nothing can run, no deadline is due, and the scenario hasn't ended. Something waits for work outside the \
                scheduler (a plain `Task {}`, a detached task, the main actor, a real sleep or file), or for what never \
                comes.
                    The task “the reader” hasn't ended.
                    Busy: Finder.Saga #1 (active), triggered at \(file):\(line)
                """
        )
    }

    @Test("a scenario that is itself waiting is reported as such")
    func waitingScenario() async {
        let gate = Gate()
        let text = await failure { _ in await gate.pass() }
        gate.open()

        #expect(text?.hasSuffix("    The scenario itself hasn't ended; no task and no run is busy.") == true)
    }

    @Test("a job that returns from another thread fails the seed, because such a run can't be repeated")
    func stray() async {
        let elsewhere = Elsewhere()
        let text = await failure { world in
            world.task("the visitor") { await elsewhere.visit() }
            try await world.clock.sleep(for: .seconds(1))
            elsewhere.sendBack()
            try await world.clock.sleep(for: .seconds(1))
        }

        #expect(
            text == """
                A job came from another thread: something in the scenario waited for work outside the scheduler (a plain \
                `Task {}`, a detached task, the main actor, a real sleep or file). Such a run can't be repeated.
                    Sleeping: a task until 2 s
                """
        )
    }

    @Test("a task that leaves the scheduler fails every seed, whatever it does there", arguments: Escape.allCases)
    func escapes(escape: Escape) async {
        var passed = 0
        var text: String?
        for seed in 0..<100 as Range<UInt64> {
            let report = await Simulation.search(seeds: seed...seed) { world in
                let store = try await world.store { Finder.Module(service: PromptFinder()) }
                await escape.leave(store, in: world)
                try await world.clock.sleep(for: .seconds(1))
            }
            passed += report.passed
            text = report.failure?.failure ?? text
        }

        #expect(passed == 0)
        #expect(text?.contains("outside the scheduler") == true || text?.contains("left the scheduler") == true)
    }

    @Test("what the scenario does afterwards doesn't hide that work left the scheduler, or that it hasn't ended")
    func laterFailures() async {
        let elsewhere = Elsewhere()
        let escape = await failure { _ in
            Task {}
            // Waits for nothing: it ends the job that has let the task escape, so that the error belongs to the next.
            await Task.yield()
            throw Broken()
        }
        let stray = await failure { world in
            world.task {
                await elsewhere.visit()
                throw Broken()
            }
            try await world.clock.sleep(for: .seconds(1))
            elsewhere.sendBack()
        }
        let endless = await Simulation.search(seeds: 0..<1, jobLimit: 1) { _ in
            // Waits for nothing: it ends the only job that the limit allows.
            await Task.yield()
            Issue.record("here")
        }
        let both = await failure { _ in
            Task {}
            throw Broken()
        }

        #expect(escape?.hasPrefix("Work left the scheduler") == true, "\(escape ?? "")")
        #expect(stray?.hasPrefix("A job came from another thread") == true, "\(stray ?? "")")
        #expect(endless.failure?.failure?.hasPrefix("It hasn't ended after 1 job.") == true, "\(endless)")
        #expect(both?.hasPrefix("The scenario threw: Broken()\n\nWork left the scheduler") == true, "\(both ?? "")")
    }

    @Test("an action that another thread dispatches fails the seed")
    func foreignDispatch() async {
        let text = await failure { world in
            let store = try await world.store { Finder.Module(service: PromptFinder()) }
            let hasDispatched = DispatchSemaphore(value: 0)
            // The scenario waits without suspending. A task would need another thread of the pool.
            Thread.detachNewThread {
                store.dispatchNow(Finder.State.Action.failed)
                hasDispatched.signal()
            }
            hasDispatched.block()
            try await world.clock.sleep(for: .seconds(1))
        }

        #expect(text?.contains("On another thread: #1 Finder.State.Action.failed") == true)
    }

    @Test("the trace of a scenario that never ends ends where it was stopped")
    func endlessTrace() async {
        struct Ping: Relux.Broadcast {}
        struct Module: Relux.Module {
            var sagas: [any Relux.Saga] {
                [Relux.Reaction(to: Ping.self) { _, context in await context.dispatch(Ping()) }]
            }
        }
        let report = await Simulation.search(seeds: 0..<1, jobLimit: 200) { world in
            let store = try await world.store { Module() }
            await store.dispatch(Ping())
        }

        let (failure, trace) = (report.failure?.failure ?? "", report.failure?.trace.joined(separator: "\n") ?? "")
        let busy = failure.matches(of: /#(\d+) \(active\)/).compactMap { Int($0.1) }.max() ?? 0
        let last = trace.matches(of: /#(\d+) started/).compactMap { Int($0.1) }.max() ?? .max

        #expect(busy > 0 && last <= busy)
    }

    @Test("a scenario that ends with the last job of the limit passes")
    func lastJob() async {
        let report = await Simulation.search(seeds: 0..<1, jobLimit: 2) { _ in }

        #expect(report.failure == nil)
    }

    @Test("a scenario that never ends is stopped by the job limit")
    func endless() async {
        let report = await Simulation.search(seeds: 0..<1, jobLimit: 50) { world in
            world.task("the clock") { while true { try await world.clock.sleep(for: .seconds(1)) } }
        }

        #expect(
            report.failure?.failure == """
                It hasn't ended after 50 jobs.
                    The task “the clock” hasn't ended.
                    Sleeping: a task until 49 s
                """
        )
    }
}

/// How work leaves the scheduler.
enum Escape: CaseIterable {
    case plainTask, plainSend, detachedTask, awaitedDetachedTask, silentTask, mainActor, screenTask, screenRelease

    @Sendable
    func leave(_ store: Relux.Store, in world: Simulation.World) async {
        switch self {
        case .plainTask: Task { await store.dispatch(Finder.State.Action.failed) }
        case .plainSend: Task { store.send(Finder.State.Action.failed) }
        case .detachedTask: Task.detached { await store.dispatch(Finder.State.Action.failed) }
        case .awaitedDetachedTask: await Task.detached {}.value
        case .silentTask: Task {}
        case .mainActor: await MainActor.run {}
        case .screenTask: _ = try? await world.onMainActor { Task.detached {} }
        case .screenRelease:
            let leaver = Leaver()
            try? await world.onMainActor { withExtendedLifetime(leaver) {} }
        }
    }
}

/// Leaves the scheduler when it is released.
private final class Leaver: Sendable {
    deinit { Task.detached {} }
}

extension DispatchSemaphore {
    /// Waits on this thread, which asynchronous code may do only to keep it busy on purpose.
    fileprivate func block() { wait() }
}

private let file = "ReluxTestingTests/SimulationFailureTests.swift"

/// Returns the text of the only issue that a replay records.
private func failureText(seed: UInt64, _ scenario: @escaping Simulation.Scenario) async -> String? {
    let issues = await recordedIssues { await Simulation.replay(seed: seed, scenario) }
    return issues.count == 1 ? issues.first?.text : nil
}

/// Returns the failure of a replay with seed 0, which must record exactly one issue.
private func failure(_ scenario: @escaping Simulation.Scenario) async -> String? {
    let outcome = Shared<Simulation.Outcome?>(nil)
    let issues = await recordedIssues {
        let replayed = await Simulation.replay(seed: 0, scenario)
        outcome.value = replayed
    }
    return issues.count == 1 ? outcome.value?.failure : nil
}

private struct Broken: Error {}

private struct Unowned: Relux.State {
    typealias Action = Never

    var isThere = true
}

private struct RecordingFinder: FinderService {
    func answer(to query: String) async throws -> String {
        Issue.record("here")
        return query
    }
}

/// A place outside the scheduler, from which a visitor returns when told to.
private final class Elsewhere: Sendable {
    private let visitor = Shared<CheckedContinuation<Void, Never>?>(nil)
    private let queue = DispatchQueue(label: "elsewhere")

    func visit() async {
        await withCheckedContinuation { visitor.value = $0 }
    }

    /// Returns once the visitor has been resumed.
    func sendBack() {
        let isBack = DispatchSemaphore(value: 0)
        queue.async { [visitor] in
            visitor.value?.resume()
            isBack.signal()
        }
        isBack.wait()
    }
}
