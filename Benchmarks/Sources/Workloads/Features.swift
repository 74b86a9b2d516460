import Baselines
import Relux
import ReluxPersistence

/// The module with only the small state.
struct CounterModule: Relux.Module {
    var states: [any Relux.State] { [Counter()] }
}

/// The same module with a state that is saved.
struct SavedCounterModule: Relux.Module {
    let storage: any Relux.Storage

    var states: [any Relux.State] { [Counter()] }
    var persistence: [any Relux.StatePersistence] {
        [
            Relux.Saved(
                Counter.self, as: "counter", in: storage, saving: { $0.count }, restoring: { $0 = Counter($1) })
        ]
    }
}

/// A second state, which other actions change.
struct Bystander: Relux.State {
    enum Action: Relux.Action { case touch }

    var touches = 0

    mutating func reduce(_ action: Action) { touches += 1 }
}

struct BystanderModule: Relux.Module {
    var states: [any Relux.State] { [Bystander()] }
}

/// Requests a run that dispatches one action back.
struct Ping: Relux.Effect {}

struct PingModule: Relux.Module {
    struct Saga: Relux.Saga {
        func run(_ trigger: Ping, in context: Relux.SagaContext) async throws {
            await context.dispatch(Counter.Action.add(1))
        }
    }

    var sagas: [any Relux.Saga] { [Saga()] }
    var dependencies: [any Relux.Module] { [CounterModule()] }
}

/// Requests a run that lasts until it is superseded.
struct Follow: Relux.Effect {}

struct FollowModule: Relux.Module {
    struct Saga: Relux.Saga {
        func policy(for trigger: Follow) -> Relux.Policy { .latest }

        func run(_ trigger: Follow, in context: Relux.SagaContext) async throws { await untilCancelled() }
    }

    var sagas: [any Relux.Saga] { [Saga()] }
}

/// Requests a run that lasts until a gate opens.
struct WaitAtGate: Relux.Effect {
    let gate: Gate
}

struct GateModule: Relux.Module {
    struct Saga: Relux.Saga {
        func run(_ trigger: WaitAtGate, in context: Relux.SagaContext) async throws { await trigger.gate.pass() }
    }

    var sagas: [any Relux.Saga] { [Saga()] }
}
