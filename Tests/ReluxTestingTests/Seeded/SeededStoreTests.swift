import Relux
import ReluxTesting
import Testing

@Suite("A store on a seeded executor", .timeLimit(.minutes(10)))
struct SeededStoreTests {
    @Test("the store and its runs stay on the executor, and the same seed makes the same choices")
    func carriesTheStore() {
        let first = search(seed: 3, policy: .concurrent)

        for _ in 0..<20 { #expect(search(seed: 3, policy: .concurrent) == first) }
        #expect(first.strays == 0)
        #expect(first.answers.count == 1)
    }

    @Test("without a policy, some order lets the answer to an old query overwrite the newer one")
    func findsTheClassicMistake() {
        let answers = Set((0..<200).flatMap { search(seed: $0, policy: .concurrent).answers })

        #expect(answers == [1, 2])
    }

    @Test("with `.latest`, the newer answer wins in every order")
    func latestHolds() {
        let answers = Set((0..<200).flatMap { search(seed: $0, policy: .latest).answers })

        #expect(answers == [2])
    }

    @Test("between two dispatches of a task, any other task may dispatch")
    func eachWayInIsAChoice() {
        let orders = Set((0..<200).map { order(seed: $0) })

        #expect(orders == ["aabb", "abab", "abba", "baab", "baba", "bbaa"])
    }

    /// Returns what two tasks write that dispatch twice each without waiting in between.
    private func order(seed: UInt64) -> String {
        let executor = SeededExecutor(seed: seed)
        let store = Relux.Store(Relux.StoreConfiguration(executor: executor))
        let written = Log<String>()
        Task(executorPreference: executor) {
            try await store.register(Writing.Module())
            await withTaskGroup { group in
                for letter in ["a", "b"] {
                    group.addTask {
                        await store.dispatch(Writing.State.Action.write(letter))
                        await store.dispatch(Writing.State.Action.write(letter))
                    }
                }
            }
            written.add(try await store.state(of: Writing.State.self).text)
        }
        executor.drain()
        return written.entries.first ?? ""
    }

    /// Searches twice, and lets time jump whenever nothing else can run.
    private func search(seed: UInt64, policy: Relux.Policy) -> Outcome {
        let executor = SeededExecutor(seed: seed)
        let clock = ManualClock()
        let answers = Log<Int>()
        Task(executorPreference: executor) {
            let configuration = Relux.StoreConfiguration(clock: clock, executor: executor)
            let store = try await Relux.Store(configuration) { Lookup.Module(policy: policy) }
            await store.dispatch(Lookup.Effect(query: 1))
            await store.dispatch(Lookup.Effect(query: 2))
            try await store.idle()
            answers.add(try await store.state(of: Lookup.State.self).answer)
        }
        _ = executor.drive {
            executor.drain()
            while clock.wakeNext() != nil { executor.drain() }
        }
        return Outcome(answers: answers.entries, choices: executor.choices, strays: executor.strays)
    }
}

private struct Outcome: Equatable {
    let answers: [Int]
    let choices: [SeededExecutor.Choice]
    let strays: Int
}

private enum Writing {
    struct State: Relux.State {
        enum Action: Relux.Action { case write(String) }

        var text = ""

        mutating func reduce(_ action: Action) {
            switch action {
            case .write(let letter): text += letter
            }
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
    }
}

private enum Lookup {
    struct State: Relux.State {
        enum Action: Relux.Action { case answered(Int) }

        var answer = 0

        mutating func reduce(_ action: Action) {
            switch action {
            case .answered(let answer): self.answer = answer
            }
        }
    }

    struct Effect: Relux.Effect {
        let query: Int
    }

    struct Saga: Relux.Saga {
        let policy: Relux.Policy

        func policy(for effect: Effect) -> Relux.Policy { policy }

        func run(_ effect: Effect, in context: Relux.SagaContext) async throws {
            try await context.sleep(for: .milliseconds(10))
            await context.dispatch(State.Action.answered(effect.query))
        }
    }

    struct Module: Relux.Module {
        let policy: Relux.Policy

        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [Saga(policy: policy)] }
    }
}
