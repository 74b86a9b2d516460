import Baselines
import Opaque
import Relux
import ReluxDiagnostics
import ReluxPersistence

extension Workload {
    /// The baseline of most rows: a hop to an actor and back that makes the same change to the same state.
    package static let bareCall = Workload("an awaited call of a bare actor") {
        let bare = BareActor()
        return Session { operations in await repeatCall(of: bare, operations) }
    }

    /// One action after another.
    package static let dispatch = dispatching("dispatch") {
        try await Relux.Store { CounterModule() }
    }

    /// The same, with a state that is saved at the usual pace.
    package static let dispatchOfSavedState = dispatching("dispatch of a state that is saved") {
        try await Relux.Store { SavedCounterModule(storage: Relux.MemoryStorage()) }
    }

    /// The same, using a handle that doesn't keep the store alive.
    package static let dispatchByDispatcher = Workload("dispatch of a dispatcher") {
        let store = try await Relux.Store { CounterModule() }
        return Session { operations in await repeatDispatch(by: store.dispatcher, operations) }
    }

    /// The same, with an action whose type is known only at run time.
    package static let dispatchAny = Workload("dispatch through any Action") {
        let store = try await Relux.Store { CounterModule() }
        return Session { operations in await repeatDispatchAny(to: store, operations) }
    }

    /// The same, with observers that do nothing.
    package static func dispatch(observedBy count: Int) -> Workload {
        dispatching("dispatch with observers: \(count)") {
            let observers = Array(repeating: SilentObserver(), count: count)
            return try await Relux.Store(Relux.StoreConfiguration(observers: observers)) { CounterModule() }
        }
    }

    /// The same, with a recorder.
    package static func dispatch(
        recordedBy name: String, _ makeRecorder: @escaping @Sendable () -> any Relux.StoreObserver
    ) -> Workload {
        dispatching("dispatch with \(name)") {
            try await Relux.Store(Relux.StoreConfiguration(observers: [makeRecorder()])) { CounterModule() }
        }
    }

    /// The same, with a middleware that lets every action proceed.
    package static let dispatchThroughMiddleware = dispatching("dispatch with a middleware") {
        try await Relux.Store(Relux.StoreConfiguration(middleware: [OpenMiddleware()])) { CounterModule() }
    }

    /// The same, in a store with many other modules.
    package static func dispatch(amongModules count: Int) -> Workload {
        dispatching("dispatch among modules: \(count)") {
            let store = try await Relux.Store { CounterModule() }
            for module in ManyModules.list(count) { try await store.register(module) }
            return store
        }
    }

    /// 1,000 actions of one type in one step.
    package static let givenBatch = Workload("an action in a given batch of 1,000", step: 1_000) {
        let store = try await Relux.Store { CounterModule() }
        let batch = (0..<1_000).map { Counter.Action.add($0) }
        return Session { operations in await repeatDispatch(of: batch, to: store, operations / 1_000) }
    }

    /// 1,000 actions in one step, listed by a builder.
    package static let builtBatch = Workload("an action in a batch of 1,000 by the builder", step: 1_000) {
        let store = try await Relux.Store { CounterModule() }
        return Session { operations in await repeatDispatchBuilt(to: store, operations / 1_000) }
    }

    private static func dispatching(
        _ name: String, to makeStore: @escaping @Sendable () async throws -> Relux.Store
    ) -> Workload {
        Workload(name) {
            let store = try await makeStore()
            return Session { operations in await repeatDispatch(to: store, operations) }
        }
    }
}

/// An observer that does nothing.
private struct SilentObserver: Relux.StoreObserver {}

/// A middleware that lets every action proceed.
private struct OpenMiddleware: Relux.Middleware {
    func intercept(_ action: any Relux.Action, _ reader: borrowing Relux.StateReader) -> Relux.Interception { .proceed }
}

// The opaque calls make every iteration leave the actor. Without them, the optimiser stays on the actor between
// iterations, and there is no call left to measure.

@concurrent
private func repeatCall(of bare: BareActor, _ count: Int) async {
    for index in 0..<count {
        await bare.apply(.add(index))
        relux_opaque()
    }
}

@concurrent
func repeatDispatch(to store: Relux.Store, _ count: Int) async {
    for index in 0..<count {
        await store.dispatch(Counter.Action.add(index))
        relux_opaque()
    }
}

@concurrent
private func repeatDispatch(by dispatcher: Relux.Dispatcher, _ count: Int) async {
    for index in 0..<count {
        await dispatcher.dispatch(Counter.Action.add(index))
        relux_opaque()
    }
}

@concurrent
private func repeatDispatchAny(to store: Relux.Store, _ count: Int) async {
    let actions: [any Relux.Action] = [Counter.Action.add(1), Counter.Action.subtract(1)]
    for index in 0..<count {
        let action = actions[index & 1]
        await store.dispatch(action)
        relux_opaque()
    }
}

@concurrent
private func repeatDispatch(of batch: [Counter.Action], to store: Relux.Store, _ count: Int) async {
    for _ in 0..<count {
        await store.dispatch(contentsOf: batch)
        relux_opaque()
    }
}

@concurrent
private func repeatDispatchBuilt(to store: Relux.Store, _ count: Int) async {
    for _ in 0..<count {
        await store.dispatch {
            for amount in 0..<1_000 { Counter.Action.add(amount) }
        }
        relux_opaque()
    }
}
