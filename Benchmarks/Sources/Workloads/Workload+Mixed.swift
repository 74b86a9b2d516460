import Baselines
import Opaque
import Relux

extension Workload {
    /// A mixture of all ways to dispatch actions, 100 at a time, which must leave nothing behind.
    package static let mixedActions = Workload("a mixed action", step: 100) {
        let store = try await Relux.Store {
            PingModule()
            FollowModule()
        }
        let batch = Array(repeating: Counter.Action.subtract(1), count: 41)
        return Session { operations in
            for _ in 0..<operations / 100 { try await mix(batch, into: store) }
            await store.cancel(FollowModule.Saga.self)
            try await store.idle()
        }
    }
}

/// Dispatches 100 actions, including those that sagas dispatch back.
@concurrent
private func mix(_ batch: [Counter.Action], into store: Relux.Store) async throws {
    for index in 0..<30 {
        await store.dispatch(Counter.Action.add(index))
        relux_opaque()
    }
    await store.dispatch(contentsOf: batch)
    await store.dispatch {
        for index in 0..<10 { Counter.Action.add(index) }
    }
    for index in 0..<15 { store.send(Counter.Action.add(index)) }
    try await store.perform(Ping())
    let action: any Relux.Action = Counter.Action.clear
    await store.dispatch(action)
    let followed = await store.dispatch(Follow())
    await store.cancel(FollowModule.Saga.self)
    await followed.finished()
}
