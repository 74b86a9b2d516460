import Relux
import ReluxTesting
import TestFixtures

/// A search feature: each query asks a service, whose answer becomes the state.
enum Finder {
    struct State: Relux.State {
        enum Action: Relux.Action, Hashable {
            case answered(String)
            case failed
        }

        var query = ""
        var answer: String?
        var hasFailed = false

        mutating func reduce(_ action: Action) {
            switch action {
            case .answered(let answer): self.answer = answer
            case .failed: hasFailed = true
            }
        }
    }

    struct Find: Relux.Effect, Hashable {
        let query: String
    }

    struct Saga: Relux.Saga {
        let service: any FinderService
        let policy: Relux.Policy

        func policy(for trigger: Find) -> Relux.Policy { policy }

        func run(_ trigger: Find, in context: Relux.SagaContext) async throws {
            let answer = try await service.answer(to: trigger.query)
            await context.dispatch(State.Action.answered(answer))
        }
    }

    struct Module: Relux.Module {
        let service: any FinderService
        var policy = Relux.Policy.latest

        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [
                .init(of: State.self, on: Find.self) { state, find in
                    state.query = find.query
                    state.answer = nil
                }
            ]
        }
        var sagas: [any Relux.Saga] { [Saga(service: service, policy: policy)] }
    }
}

protocol FinderService: Sendable {
    func answer(to query: String) async throws -> String
}

/// A service that answers at once.
struct PromptFinder: FinderService {
    func answer(to query: String) async throws -> String { "\(query)!" }
}

/// A service that answers once its gate is open.
struct GatedFinder: FinderService {
    let gate: Gate

    func answer(to query: String) async throws -> String {
        await gate.pass()
        return "\(query)!"
    }
}

/// A service that answers after a random latency.
struct SlowFinder: FinderService {
    let world: Simulation.World

    func answer(to query: String) async throws -> String {
        try await world.latency(.milliseconds(1) ... .milliseconds(50))
        return "\(query)!"
    }
}

extension Finder {
    /// A scenario in which a user types two queries, with a pause in between.
    static func typing(policy: Relux.Policy) -> Simulation.Scenario {
        { world in
            let store = try await world.store { Module(service: SlowFinder(world: world), policy: policy) }
            world.always("the answer is one to the query", of: State.self) { state in
                state.answer.map { $0 == "\(state.query)!" } ?? true
            }

            await store.dispatch(Find(query: "a"))
            try await world.latency(.milliseconds(10) ... .milliseconds(60))
            await store.dispatch(Find(query: "ab"))
        }
    }
}
