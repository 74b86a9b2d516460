import Relux
import ReluxTesting
import Testing

@Suite("Skipping in a test store", .timeLimit(.minutes(10)))
struct TestStoreSkippingTests {
    @Test("actions that were not received can be skipped, with their changes")
    func received() async throws {
        let store = try await TestStore { Finder.Module(service: PromptFinder()) }
        await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in state.query = "a" }

        await store.skipReceived()
        await store.dispatch(.failed, to: Finder.State.self) { $0.hasFailed = true }

        await store.finish()
    }

    @Test("skipping what was received doesn't skip what comes later")
    func receivedLater() async throws {
        let store = try await TestStore { Finder.Module(service: PromptFinder()) }
        await store.skipReceived()
        await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in state.query = "a" }

        let issues = await recordedIssues { await store.finish() }

        #expect(issues.count == 1)
    }

    @Test("runs that have not ended can be skipped, but not later ones, nor what they dispatch")
    func runs() async throws {
        let store = try await TestStore { Quiz.Module() }
        await store.perform(Quiz.Ask(number: 1))
        await store.receive(Quiz.Note.asked(1)) { (state: inout Quiz.State) in state.last = 1 }
        await store.skipRuns()
        let quiet = await recordedIssues { await store.finish() }

        await store.perform(Quiz.Ask(number: 2))
        await store.receive(Quiz.Note.asked(2)) { (state: inout Quiz.State) in state.last = 2 }
        let loud = await recordedIssues { await store.finish() }

        #expect(quiet.isEmpty)
        #expect(loud.count == 1)
        #expect(loud.first?.text.contains("Quiz.Flow #2") == true)
    }

    @Test("what a skipped run performs is skipped with it")
    func performedBySkippedRuns() async throws {
        struct Poll: Relux.Effect {}
        struct Poller: Relux.Saga {
            func run(_ trigger: Poll, in context: Relux.SagaContext) async throws {
                try await context.sleep(for: .seconds(1))
                _ = try await context.perform(Quiz.Ask(number: 1))
            }
        }
        struct Polling: Relux.Module {
            var sagas: [any Relux.Saga] { [Poller()] }
        }
        let store = try await TestStore {
            Quiz.Module()
            Polling()
        }
        await store.dispatch(Poll())
        await store.skipRuns()
        await store.advance(by: .seconds(1))
        await store.receive(Quiz.Ask(number: 1))
        await store.receive(Quiz.Note.asked(1)) { (state: inout Quiz.State) in state.last = 1 }

        await store.finish()
    }

    @Test("the exhaustivity changes for some steps, and the test continues from where they end")
    func exhaustivity() async throws {
        let store = try await TestStore {
            Finder.Module(service: PromptFinder())
            Tally.Module()
        }

        let answer = await store.withExhaustivity(.off) {
            await store.dispatch(Finder.Find(query: "a"))
            await store.dispatch(Finder.Find(query: "b"))
            return store.exhaustivity
        }
        await store.dispatch(Finder.Find(query: "c")) { (state: inout Finder.State) in
            state.query = "c"
            state.answer = nil
        } _: { (tally: inout Tally.State) in
            tally.count = 3
        }
        await store.receive(Finder.State.Action.answered("c!")) { (state: inout Finder.State) in state.answer = "c!" }
        await store.finish()

        #expect(answer == .off)
        #expect(store.exhaustivity == .on)
    }

    @Test("exhaustive steps in another test begin with the present states, and must receive everything")
    func exhaustiveSteps() async throws {
        let store = try await TestStore(exhaustivity: .off) { Finder.Module(service: PromptFinder()) }
        await store.dispatch(Finder.Find(query: "a"))
        let line = #line + 2
        let issues = await recordedIssues {
            await store.withExhaustivity(.on) {
                await store.dispatch(.failed, to: Finder.State.self) { $0.hasFailed = true }
                await store.dispatch(Finder.Find(query: "b")) { (state: inout Finder.State) in
                    state.query = "b"
                    state.answer = nil
                }
            }
        }
        await store.finish()

        #expect(issues.count == 1)
        #expect(
            issues.first?.text.hasPrefix("1 action had not been received before the end of the exhaustive steps:")
                == true)
        #expect(issues.first?.location?.line == line)
    }

    @Test("a stated change that no action made is checked without exhaustivity, even if an action wasn't received")
    func changedWithoutExhaustivity() async throws {
        let store = try await TestStore(exhaustivity: .off) { Finder.Module(service: PromptFinder()) }
        await store.dispatch(Finder.Find(query: "a"))

        let wrong = await recordedIssues { await store.changed { (state: inout Finder.State) in state.query = "b" } }
        await store.dispatch(Finder.Find(query: "a"))
        let right = await recordedIssues { await store.changed { (state: inout Finder.State) in state.query = "a" } }
        await store.finish()

        #expect(wrong.count == 1)
        #expect(wrong.first?.text.hasPrefix("Without an action:") == true, "\(wrong)")
        #expect(right.isEmpty, "\(right)")
    }

    @Test("steps with another exhaustivity may throw, and the exhaustivity is restored")
    func throwingSteps() async throws {
        struct Stop: Error {}
        let store = try await TestStore(exhaustivity: .off) { Finder.Module(service: PromptFinder()) }

        await #expect(throws: Stop.self) {
            try await store.withExhaustivity(.on) { () async throws(Stop) in throw Stop() }
        }

        #expect(store.exhaustivity == .off)
    }

    @Test("a state's own action can be dispatched without naming the types")
    func inferredState() async throws {
        let store = try await TestStore { Finder.Module(service: PromptFinder()) }

        await store.dispatch(.answered("a"), to: Finder.State.self) { $0.answer = "a" }
        await store.dispatch(.answered("a"), to: Finder.State.self)
        let issues = await recordedIssues {
            await store.dispatch(.failed, to: Finder.State.self) { $0.answer = "b" }
        }
        await store.finish()

        #expect(issues.count == 1)
    }
}
