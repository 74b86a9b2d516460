import Relux

// A complete feature, as written in a program whose code is isolated to the main actor by default.
//
// Types that conform to a protocol of the library need no isolation annotations. The protocols require `Sendable`, and
// the compiler therefore infers that the conforming types and all their members are nonisolated. Other types that they
// use and that are not part of them, such as `Amount`, have to be marked `nonisolated`.

/// A value that states and actions contain.
nonisolated struct Amount: Sendable, Hashable {
    var value = 0
}

/// A service that sagas call off the main actor.
nonisolated protocol AmountService: Sendable {
    func amount() async throws -> Amount
}

nonisolated struct FixedAmountService: AmountService {
    let value: Int

    func amount() async throws -> Amount { Amount(value: value) }
}

enum Counting {
    struct State: Relux.State {
        var total = Amount()
        var loads = 0

        enum Action: Relux.Action, Hashable {
            case add(Amount)
        }

        mutating func reduce(_ action: Action) {
            switch action {
            case .add(let amount): total.value += amount.value
            }
        }
    }

    enum Effect: Relux.Effect, Hashable {
        case load
    }

    struct Total: Relux.Effect {
        typealias Output = Int
    }

    struct Fail: Relux.Effect {
        struct Failure: Error {}
    }

    struct Poke: Relux.Action, Hashable {}

    struct Saga: Relux.Saga {
        let service: any AmountService

        func policy(for trigger: Effect) -> Relux.Policy { .serial }

        func actionOnCancel(_ trigger: Effect) -> (any Relux.Action)? { nil }

        func run(_ trigger: Effect, in context: Relux.SagaContext) async throws {
            await context.dispatch(State.Action.add(try await service.amount()))
        }
    }

    struct FailingSaga: Relux.Saga {
        func run(_ trigger: Fail, in context: Relux.SagaContext) async throws { throw Fail.Failure() }
    }

    struct TotalFlow: Relux.Flow {
        func run(_ trigger: Total, in context: Relux.SagaContext) async throws -> Int {
            try await context.state(of: State.self).total.value
        }
    }

    struct Watcher: Relux.Watcher {
        var listens: [any Relux.Action.Type] { [Poke.self] }

        func watch(in context: Relux.SagaContext) async throws {
            for await _ in context.actionStream(of: Poke.self) {
                await context.dispatch(State.Action.add(Amount(value: 1_000)))
            }
        }
    }

    struct Module: Relux.Module {
        let service: any AmountService

        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [.init(of: State.self, on: Effect.self) { state, _ in state.loads += 1 }]
        }
        var sagas: [any Relux.Saga] { [Saga(service: service), FailingSaga()] }
        var flows: [any Relux.Flow] { [TotalFlow()] }
        var watchers: [any Relux.Watcher] { [Watcher()] }
    }

    struct Middleware: Relux.Middleware {
        func intercept(_ action: any Relux.Action, _ reader: borrowing Relux.StateReader) -> Relux.Interception {
            guard let state = reader[State.self], state.total.value < 0 else { return .proceed }
            return .drop(reason: "The total is negative.")
        }
    }
}

/// A feature for a module that tests attach and register on their own.
enum Extra {
    struct State: Relux.State, Hashable {
        var value = 7

        mutating func reduce(_ action: Never) {}
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
    }

    struct Page: Relux.Module, Identifiable {
        let id: Int

        var states: [any Relux.State] { [State()] }
    }
}
