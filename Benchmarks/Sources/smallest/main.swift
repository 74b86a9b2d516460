import Relux

// The smallest useful program: a state, a saga, and the verbs that most programs use. Only its size is measured.

struct Counter: Relux.State {
    var value = 0

    enum Action: Relux.Action { case add(Int) }

    mutating func reduce(_ action: Action) {
        switch action {
        case .add(let amount): value += amount
        }
    }
}

struct Increment: Relux.Effect {}

struct IncrementSaga: Relux.Saga {
    func run(_ effect: Increment, in context: Relux.SagaContext) async {
        await context.dispatch(Counter.Action.add(1))
    }
}

struct CounterModule: Relux.Module {
    var states: [any Relux.State] { [Counter()] }
    var sagas: [any Relux.Saga] { [IncrementSaga()] }
}

let store = try await Relux.Store { CounterModule() }
await store.dispatch(Counter.Action.add(1))
try await store.perform(Increment())
print(try await store.state(of: Counter.self).value)
