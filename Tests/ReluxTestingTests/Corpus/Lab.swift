import Relux
import ReluxTesting

/// A feature in which classical bugs are written down in a few lines: numbers by name, marks in order, and one saga.
enum Lab {
    struct Board: Relux.State {
        enum Action: Relux.Action, Hashable {
            case set(String, Int)
            case add(String, Int)
            case mark(String)
        }

        var numbers: [String: Int] = [:]
        var marks: [String] = []

        subscript(_ name: String) -> Int { numbers[name] ?? 0 }

        mutating func reduce(_ action: Action) {
            switch action {
            case .set(let name, let value): numbers[name] = value
            case .add(let name, let value): numbers[name, default: 0] += value
            case .mark(let text): marks.append(text)
            }
        }
    }

    /// Requests work, which the saga's closure knows by name.
    struct Do: Relux.Effect, Hashable {
        let name: String
        var value = 0

        init(_ name: String, _ value: Int = 0) {
            self.name = name
            self.value = value
        }
    }

    struct Saga: Relux.Saga {
        let policies: @Sendable (Do) -> Relux.Policy
        let cleanup: Board.Action?
        let body: @Sendable (Do, Relux.SagaContext) async throws -> Void

        func policy(for trigger: Do) -> Relux.Policy { policies(trigger) }
        func actionOnCancel(_ trigger: Do) -> (any Relux.Action)? { cleanup }
        func run(_ trigger: Do, in context: Relux.SagaContext) async throws { try await body(trigger, context) }
    }

    struct Module: Relux.Module {
        let saga: Saga

        var states: [any Relux.State] { [Board()] }
        var sagas: [any Relux.Saga] { [saga] }
    }

    /// Creates a store with the board and one saga.
    static func store(
        in world: Simulation.World,
        policy: @escaping @Sendable (Do) -> Relux.Policy = { _ in .concurrent },
        cleanup: Board.Action? = nil,
        _ body: @escaping @Sendable (Do, Relux.SagaContext) async throws -> Void
    ) async throws -> Relux.Store {
        try await world.store { Module(saga: Saga(policies: policy, cleanup: cleanup, body: body)) }
    }
}
