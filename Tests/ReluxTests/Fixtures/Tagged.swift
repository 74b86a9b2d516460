import Relux

/// Distinguishes the types of generic fixtures.
protocol Tag: Sendable {}

enum TagA: Tag {}
enum TagB: Tag {}
enum TagC: Tag {}
enum TagD: Tag {}

/// A state that sums up its actions.
struct Counter<T: Tag>: Relux.State {
    var value = 0

    struct Add: Relux.Action, Hashable {
        var amount = 1
    }

    mutating func reduce(_ action: Add) { value += action.amount }
}

/// An action that belongs to no state, for additional reducers.
struct Tick: Relux.Action, Hashable {}

/// An effect that is a separate type for each tag.
struct Ask<T: Tag>: Relux.Effect {
    typealias Output = String
}

/// The flow that answers `Ask`.
struct AskFlow<T: Tag>: Relux.Flow {
    var answer = "answer"

    func run(_ trigger: Ask<T>, in context: Relux.SagaContext) async throws -> String { answer }
}

/// A watcher made of a closure.
struct ClosureWatcher: Relux.Watcher {
    var listens: [any Relux.Action.Type] = []
    let body: @Sendable (Relux.SagaContext) async throws -> Void

    func watch(in context: Relux.SagaContext) async throws { try await body(context) }
}

/// A module whose parts are given by a test. Each tag gives a different module type.
struct Part<T: Tag>: Relux.Module {
    var states: [any Relux.State] = []
    var reducers: [Relux.Reducer] = []
    var rules: [Relux.Rule] = []
    var sagas: [any Relux.Saga] = []
    var flows: [any Relux.Flow] = []
    var watchers: [any Relux.Watcher] = []
    var dependencies: [any Relux.Module] = []
    var requires: [any Relux.Module.Type] = []
    var persistence: [any Relux.StatePersistence] = []
    var children: [Relux.Children] = []
    var openingActions: [any Relux.Action] = []

    /// Returns a module with a counter of its own.
    static func counting(from value: Int = 0, needing dependencies: any Relux.Module...) -> Part {
        Part(states: [Counter<T>(value: value)], dependencies: dependencies)
    }
}

extension Relux.Reducer {
    /// Returns a reducer that counts ticks.
    static func ticking<T: Tag>(_: T.Type, by amount: Int = 1) -> Relux.Reducer {
        .init(of: Counter<T>.self, on: Tick.self) { state, _ in state.value += amount }
    }
}

extension Relux.Store {
    /// Returns the value of a counter, or nil if no module owns it.
    func count<T: Tag>(of tag: T.Type) async -> Int? {
        await read { reader in reader[Counter<T>.self]?.value }
    }
}
