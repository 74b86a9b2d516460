import Baselines
import Opaque
import Relux

extension Workload {
    /// One action after another, each to the same instance of many.
    package static func dispatch(toInstanceAmong count: Int) -> Workload {
        Workload("dispatch to an instance among: \(count)") {
            let store = try await storeWithInstances(count)
            let scope = store.scope(of: CellModule.self, id: count / 2)
            return Session { operations in
                await repeatDispatch(to: scope, operations)
                withExtendedLifetime(store) {}
            }
        }
    }

    /// One action after another, each to the root beside many instances.
    package static func dispatch(amongInstances count: Int) -> Workload {
        Workload("dispatch among instances: \(count)") {
            let store = try await storeWithInstances(count)
            return Session { operations in await repeatDispatch(to: store, operations) }
        }
    }

    /// Attaches an instance with one state and one saga, and ends it, beside many others.
    package static func openingAnInstance(among count: Int) -> Workload {
        Workload("an instance opened and closed among: \(count)") {
            let store = try await storeWithInstances(count)
            return Session { operations in
                for id in 0..<operations { await (try store.attach(CellModule(id: count + id))).end() }
            }
        }
    }

    /// Registered instances, each with one small state and one saga.
    package static let keepingInstances = Workload("an instance kept") {
        let store = try await storeWithInstances(1)
        return Session { operations in
            for id in 1...operations { try await store.register(CellModule(id: id)) }
        } close: {
            await store.shutdown()
        }
    }

    private static func storeWithInstances(_ count: Int) async throws -> Relux.Store {
        let store = try await Relux.Store { CounterModule() }
        for id in 0..<count { try await store.register(CellModule(id: id)) }
        return store
    }
}

/// A module with one small state and one saga, once for each id.
private struct CellModule: Relux.Module, Identifiable {
    struct Effect: Relux.Effect {}

    struct Saga: Relux.Saga {
        func run(_ trigger: Effect, in context: Relux.SagaContext) async throws {
            await context.dispatch(Counter.Action.add(1))
        }
    }

    let id: Int

    var states: [any Relux.State] { [Counter()] }
    var sagas: [any Relux.Saga] { [Saga()] }
}

@concurrent
private func repeatDispatch(to scope: Relux.Scope, _ count: Int) async {
    for index in 0..<count {
        await scope.dispatch(Counter.Action.add(index))
        relux_opaque()
    }
}
