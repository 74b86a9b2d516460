import Relux
import ReluxTesting
import Testing

@Suite("SagaTester: hooks, last actions, and listening", .timeLimit(.minutes(10)))
struct SagaTesterRunsTests {
    @Test("what accompanies a run, and its last action, are among the steps")
    func steps() async throws {
        let tester = try await SagaTester(Tray.Loader(), states: [Tray.State()])

        await tester.start(Tray.Load(item: 1))
        await tester.advance(by: .seconds(1))

        #expect(tester.dispatched(Tray.State.Action.self) == [.began, .loaded(1)])
        #expect(tester.outcome?.description == "finished")
        #expect(try await tester.state(of: Tray.State.self).items == [1])
    }

    @Test("an error that a hook takes needs no expectation")
    func failure() async throws {
        let tester = try await SagaTester(Tray.Loader(), states: [Tray.State()])

        await tester.start(Tray.Load(item: -1))

        #expect(tester.dispatched(Tray.State.Action.self) == [.began, .failed])
    }

    @Test("an error after the last action is the saga's, and the outcome stays")
    func laterFailure() async throws {
        let tester = try await SagaTester(Tray.Loader { _ in throw Tray.Failure() }, states: [Tray.State()])
        await tester.expectFailure(Tray.Failure.self)

        await tester.start(Tray.Load(item: 1))
        await tester.advance(by: .seconds(1))

        #expect(tester.dispatched(Tray.State.Action.self) == [.began, .loaded(1)])
        #expect(tester.outcome?.description == "finished")
    }

    @Test("and isn't received by reading that the run has finished")
    func laterFailureUnread() async throws {
        let issues = try await recordedIssues {
            let tester = try await SagaTester(Tray.Loader { _ in throw Tray.Failure() }, states: [Tray.State()])
            await tester.start(Tray.Load(item: 1))
            await tester.advance(by: .seconds(1))
            #expect(tester.outcome?.description == "finished")
        }

        #expect(issues.count == 1, "\(issues)")
    }

    @Test("a cancellation is accompanied as in a store")
    func cancellation() async throws {
        let tester = try await SagaTester(Tray.Loader(), states: [Tray.State()])

        await tester.start(Tray.Load(item: 1))
        await tester.cancel()

        #expect(tester.dispatched(Tray.State.Action.self) == [.began, .cancelled])
    }

    @Test("a saga that listens gets what is delivered to it")
    func listening() async throws {
        let tester = try await SagaTester(
            Tray.Loader(awaitsAnswer: true), states: [Tray.State()],
            reducers: [.init(of: Tray.State.self, on: Tray.Answer.self) { _, _ in }])

        await tester.start(Tray.Load(item: 1))
        await tester.deliver(Tray.Answer(item: 7))

        #expect(tester.dispatched(Tray.State.Action.self) == [.began, .loaded(7)])
    }
}
