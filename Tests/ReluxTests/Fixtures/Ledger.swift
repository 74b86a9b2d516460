import Relux

/// A state that records which task wrote what, in order, so that tests can check the orders of many tasks.
enum Ledger {
    struct Write: Relux.Action, Hashable {
        var writer = 0
        var number: Int
    }

    /// The same write as an effect, so that it can be performed.
    struct Deliver: Relux.Effect, Hashable {
        var write: Write
    }

    struct State: Relux.State {
        typealias Action = Write

        var writes: [Write] = []

        mutating func reduce(_ action: Write) { writes.append(action) }

        func numbers(of writer: Int) -> [Int] {
            writes.filter { $0.writer == writer }.map(\.number)
        }
    }

    /// Ends immediately: the reducer has already done the work.
    private struct Delivery: Relux.Saga {
        func run(_ trigger: Deliver, in context: Relux.SagaContext) async {}
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [Delivery()] }
        var reducers: [Relux.Reducer] {
            [.init(of: State.self, on: Deliver.self) { state, effect in state.reduce(effect.write) }]
        }
    }
}

extension Ledger {
    /// A state of another module that records the same writes.
    struct Copy: Relux.State {
        typealias Action = Never

        var writes: [Write] = []

        struct Module: Relux.Module {
            var states: [any Relux.State] { [Copy()] }
            var dependencies: [any Relux.Module] { [Ledger.Module()] }
            var reducers: [Relux.Reducer] {
                [
                    .init(of: Copy.self, on: Write.self) { $0.writes.append($1) },
                    .init(of: Copy.self, on: Deliver.self) { $0.writes.append($1.write) },
                ]
            }
        }
    }
}

/// Every way to write to a store.
enum WritingVerb: CaseIterable, Sendable {
    case send, dispatch, array, notContiguous, builder, perform, actions, concurrentActions
    case sendByDispatcher, dispatchByDispatcher, arrayByDispatcher, builderByDispatcher, performByDispatcher
    case actionsByDispatcher

    /// Whether the verb returns before anything is reduced.
    var isSend: Bool { self == .send || self == .sendByDispatcher }

    func submit(_ write: Ledger.Write, to store: Relux.Store) async throws {
        let dispatcher = store.dispatcher
        switch self {
        case .send: store.send(write)
        case .dispatch: await store.dispatch(write)
        case .array: await store.dispatch(contentsOf: [write])
        case .notContiguous: await store.dispatch(contentsOf: [write].reversed())
        case .builder: await store.dispatch { write }
        case .perform: try await store.perform(Ledger.Deliver(write: write))
        case .actions: await store.actions { write }
        case .concurrentActions: await store.actions(.concurrently) { write }
        case .sendByDispatcher: dispatcher.send(write)
        case .dispatchByDispatcher: await dispatcher.dispatch(write)
        case .arrayByDispatcher: await dispatcher.dispatch(contentsOf: [write])
        case .builderByDispatcher: await dispatcher.dispatch { write }
        case .performByDispatcher: try await dispatcher.perform(Ledger.Deliver(write: write))
        case .actionsByDispatcher: await dispatcher.actions { write }
        }
    }
}

/// Every way in which a task can see the contents of a ledger.
enum ReadingVerb: CaseIterable, Sendable {
    case state, read, firstValue, firstSelection, firstSelectionOverReader

    func lastNumber(in store: Relux.Store) async throws -> Int? {
        switch self {
        case .state:
            return try await store.state(of: Ledger.State.self).writes.last?.number
        case .read:
            return await store.read { reader in reader[Ledger.State.self]?.writes.last?.number }
        case .firstValue:
            var values = store.values(of: Ledger.State.self).makeAsyncIterator()
            return await values.next()?.writes.last?.number
        case .firstSelection:
            var values = store.values(of: Ledger.State.self) { $0.writes.last?.number }.makeAsyncIterator()
            return await values.next() ?? nil
        case .firstSelectionOverReader:
            var values = store.values { $0[Ledger.State.self]?.writes.last?.number }.makeAsyncIterator()
            return await values.next() ?? nil
        }
    }
}
