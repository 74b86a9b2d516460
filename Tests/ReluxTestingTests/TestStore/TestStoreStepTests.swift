import Foundation
import Relux
import ReluxTesting
import Testing

/// Steps whose actions concern reducers, alone or with what they wake.
@Suite("Steps of a test store", .timeLimit(.minutes(10)))
struct TestStoreStepTests {
    /// Two states that change together, or one at a time, beside a saga.
    enum Pair {
        struct Left: Relux.State {
            enum Action: Relux.Action, Equatable { case set(Int) }

            var number = 0

            mutating func reduce(_ action: Action) { if case .set(let number) = action { self.number = number } }
        }

        struct Right: Relux.State {
            typealias Action = Never

            var number = 0
        }

        struct SetBoth: Relux.Action, Equatable { let number: Int }

        struct Load: Relux.Effect {}

        struct Saga: Relux.Saga {
            func run(_ trigger: Load, in context: Relux.SagaContext) async throws {
                await context.dispatch(Left.Action.set(9))
            }
        }

        struct Module: Relux.Module {
            var states: [any Relux.State] { [Left(), Right()] }
            var sagas: [any Relux.Saga] { [Saga()] }
            var reducers: [Relux.Reducer] {
                [
                    .init(of: Left.self, on: SetBoth.self) { $0.number = $1.number },
                    .init(of: Right.self, on: SetBoth.self) { $0.number = $1.number },
                ]
            }
        }
    }

    private func makeStore() async throws -> TestStore {
        try await TestStore { Pair.Module() }
    }

    @Test("alternate with steps that a saga answers")
    func alternate() async throws {
        let store = try await makeStore()

        for number in 1...3 {
            await store.dispatch(.set(number), to: Pair.Left.self) { $0.number = number }
            await store.dispatch(Pair.Load())
            await store.receive(Pair.Left.Action.set(9)) { (left: inout Pair.Left) in left.number = 9 }
        }

        await store.finish()
    }

    @Test("run neither reducers nor observers on the actor that makes them")
    @MainActor
    func actors() async throws {
        let wasOnMain = Shared<Bool?>(nil)
        let observer = ThreadObserver(isOnMain: wasOnMain)
        let store = try await TestStore(.init(observers: [observer])) { Pair.Module() }

        await store.dispatch(.set(1), to: Pair.Left.self) { left in
            MainActor.assertIsolated()
            left.number = 1
        }

        #expect(wasOnMain.value == false)
        await store.finish()
    }

    @Test("fail on a second state that changes, however the first is stated")
    func unstatedChange() async throws {
        let store = try await makeStore()

        let issues = await recordedIssues {
            await store.dispatch(Pair.SetBoth(number: 1)) { (left: inout Pair.Left) in left.number = 1 }
            await store.dispatch(Pair.SetBoth(number: 2))
        }

        #expect(
            issues.map(\.text) == [
                """
                After #1 TestStoreStepTests.Pair.SetBoth(number: 1):

                TestStoreStepTests.Pair.Right changed, and no change of it was stated (- expected, + actual):

                  TestStoreStepTests.Pair.Right(
                -     number: 0
                +     number: 1
                  )
                """,
                """
                After #2 TestStoreStepTests.Pair.SetBoth(number: 2):

                TestStoreStepTests.Pair.Left changed, and no change of it was stated (- expected, + actual):

                  TestStoreStepTests.Pair.Left(
                -     number: 1
                +     number: 2
                  )

                TestStoreStepTests.Pair.Right changed, and no change of it was stated (- expected, + actual):

                  TestStoreStepTests.Pair.Right(
                -     number: 1
                +     number: 2
                  )
                """,
            ]
        )
        await store.finish()
    }

    @Test("fail on a change of a state that the action doesn't concern")
    func changeOfAnother() async throws {
        let store = try await makeStore()

        let issues = await recordedIssues {
            await store.dispatch(Pair.Left.Action.set(1)) { (left: inout Pair.Left) in
                left.number = 1
            } _: { (right: inout Pair.Right) in
                right.number = 1
            }
        }

        #expect(issues.count == 1)
        #expect(issues.first?.text.contains("TestStoreStepTests.Pair.Right isn't what was stated") == true)
        await store.finish()
    }

    @Test("fail on a stated change that changes nothing, at the caller's line")
    func idleChange() async throws {
        let store = try await makeStore()

        let issues = await recordedIssues {
            await store.dispatch(.set(0), to: Pair.Left.self) { $0.number = 0 }
        }

        #expect(
            issues.map(\.text) == [
                """
                After #1 TestStoreStepTests.Pair.Left.Action.set(0):

                The stated change of TestStoreStepTests.Pair.Left changes nothing. Leave it out.
                """
            ]
        )
        #expect(issues.map(\.location?.line) == [#line - 12])
        await store.finish()
    }

    @Test("apply each stated change once, also if a check fails")
    func appliedOnce() async throws {
        let store = try await makeStore()
        let calls = Shared(0)

        let issues = await recordedIssues {
            for number in 1...2 {
                await store.dispatch(.set(number), to: Pair.Left.self) { left in
                    calls.value += 1
                    left.number = 1
                }
            }
        }

        #expect(issues.count == 1)
        #expect(calls.value == 2)
        await store.finish()
    }

    @Test("continue from the states of a failed step")
    func afterFailure() async throws {
        let store = try await makeStore()

        let issues = await recordedIssues {
            await store.dispatch(.set(3), to: Pair.Left.self) { $0.number = 4 }
            await store.dispatch(.set(5), to: Pair.Left.self) { $0.number += 2 }
        }

        #expect(issues.count == 1)
        await store.finish()
    }

    @Test("notice what has changed since the last one without an action", arguments: [true, false])
    func unstatedReset(concernsReducersOnly: Bool) async throws {
        let store = try await makeStore()
        let raw = try await store.run { $0 }
        await store.dispatch(.set(1), to: Pair.Left.self) { $0.number = 1 }

        await raw.reset()
        let issues = await recordedIssues {
            if concernsReducersOnly {
                await store.dispatch(.set(2), to: Pair.Left.self) { $0.number = 2 }
            } else {
                await store.dispatch(Pair.Load())
                await store.skipReceived()
            }
        }

        let action =
            concernsReducersOnly ? "TestStoreStepTests.Pair.Left.Action.set(2)" : "TestStoreStepTests.Pair.Load()"
        #expect(
            issues.map(\.text) == [
                """
                Before \(action), without an action:

                TestStoreStepTests.Pair.Left changed, and no change of it was stated (- expected, + actual):

                  TestStoreStepTests.Pair.Left(
                -     number: 1
                +     number: 0
                  )
                """
            ]
        )
        await store.finish()
    }

    @Test("notice an action that has not been received")
    func pendingAction() async throws {
        let store = try await makeStore()
        let raw = try await store.run { $0 }
        await store.dispatch(.set(1), to: Pair.Left.self) { $0.number = 1 }

        await raw.dispatch(Pair.Left.Action.set(2))
        let issues = await recordedIssues {
            await store.dispatch(.set(3), to: Pair.Left.self) { $0.number = 3 }
        }

        #expect(issues.count == 1)
        #expect(issues.first?.text.contains("#2 TestStoreStepTests.Pair.Left.Action.set(2)") == true)
        await store.finish()
    }

    @Test("deliver what was sent before them first")
    func sentBefore() async throws {
        let store = try await makeStore()
        let raw = try await store.run { $0 }

        raw.send(Pair.Left.Action.set(1))
        let issues = await recordedIssues {
            await store.dispatch(.set(2), to: Pair.Left.self) { $0.number = 2 }
        }

        #expect(issues.map(\.text).first?.contains("1 action had not been received before") == true)
        #expect(store.recorder.actions(of: Pair.Left.Action.self) == [.set(1), .set(2)])
        await store.finish()
    }

    @Test("wait for the work that a limited drain has left")
    func drainedBefore() async throws {
        let store = try await makeStore()
        let raw = try await store.run { $0 }

        Task(executorPreference: store.executor) { await raw.dispatch(Pair.Left.Action.set(1)) }
        store.executor.drain(limit: 0)
        let issues = await recordedIssues {
            await store.dispatch(.set(2), to: Pair.Left.self) { $0.number = 2 }
        }

        #expect(issues.map(\.text).first?.contains("1 action had not been received before") == true)
        #expect(store.recorder.actions(of: Pair.Left.Action.self) == [.set(1), .set(2)])
        await store.finish()
    }

    @Test("run what they wake to rest")
    func wokenReaders() async throws {
        let store = try await TestStore {
            Pair.Module()
            Mirror()
        }

        await store.dispatch(.set(4), to: Pair.Left.self) { $0.number = 4 }
        let count = store.recorder.records.count
        await store.receive(Pair.SetBoth(number: 4)) { (right: inout Pair.Right) in right.number = 4 }
        await store.finish()

        #expect(count == 2)
    }

    @Test("tell the other observers, who may send")
    func observers() async throws {
        let sender = Sender()
        let store = try await TestStore(.init(observers: [sender])) { Pair.Module() }
        sender.store.value = try await store.run { $0.dispatcher }

        await store.dispatch(.set(1), to: Pair.Left.self) { $0.number = 1 }
        await store.receive(Pair.SetBoth(number: 7)) { (left: inout Pair.Left) in
            left.number = 7
        } _: { (right: inout Pair.Right) in
            right.number = 7
        }
        await store.finish()
    }

    @Test("record the time at which they were made")
    func times() async throws {
        let store = try await makeStore()

        await store.dispatch(.set(1), to: Pair.Left.self) { $0.number = 1 }
        await store.dispatch(.set(2), to: Pair.Left.self) { $0.number = 2 }
        await store.advance(by: .seconds(3))
        await store.dispatch(.set(3), to: Pair.Left.self) { $0.number = 3 }
        await store.dispatch(Pair.Load())
        await store.receive(Pair.Left.Action.set(9)) { (left: inout Pair.Left) in left.number = 9 }
        await store.advance(by: .seconds(1))
        await store.dispatch(.set(4), to: Pair.Left.self) { $0.number = 4 }

        #expect(store.recorder.records.map(\.time) == [0, 0, 3, 3, 3, 4].map { .seconds($0) })
        await store.finish()
    }

    @Test("end the expectation of a performed effect's refusal")
    func refusals() async throws {
        let store = try await makeStore()
        let performance = await store.perform(Unknown())
        _ = await #expect(throws: Relux.EffectError.self) { try await performance.output() }

        await store.dispatch(.set(1), to: Pair.Left.self) { $0.number = 1 }
        let issues = await recordedIssues {
            await store.dispatch(Unknown())
            await store.finish()
        }

        #expect(issues.count == 1)
        #expect(issues.first?.text.contains("Something went unnoticed") == true)
    }
}

/// An effect that nothing takes.
private struct Unknown: Relux.Effect {}

/// Follows one number with another.
private struct Mirror: Relux.Module {
    struct Watcher: Relux.Watcher {
        func watch(in context: Relux.SagaContext) async throws {
            for await left in context.values(of: TestStoreStepTests.Pair.Left.self) where left.number > 0 {
                await context.dispatch(TestStoreStepTests.Pair.SetBoth(number: left.number))
                break
            }
        }
    }

    var watchers: [any Relux.Watcher] { [Watcher()] }
}

/// Sends an action once it has seen another.
private final class Sender: Relux.StoreObserver {
    let store = Shared<Relux.Dispatcher?>(nil)

    func actionReduced(_ record: Relux.ActionRecord, leaving _: borrowing Relux.StateReader) {
        if record.action is TestStoreStepTests.Pair.Left.Action {
            store.value?.send(TestStoreStepTests.Pair.SetBoth(number: 7))
        }
    }
}

/// Notes whether an action was reduced on the main thread.
private struct ThreadObserver: Relux.StoreObserver {
    let isOnMain: Shared<Bool?>

    func actionReduced(_ record: Relux.ActionRecord, leaving _: borrowing Relux.StateReader) {
        isOnMain.value = Thread.isMainThread
    }
}
