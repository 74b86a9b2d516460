import Baselines
import Opaque
import Relux

extension Workload {
    /// Eight concurrent tasks, each making an eighth of the calls.
    package static let bareCallFromEightTasks = Workload(
        "awaited calls of a bare actor from 8 tasks", step: 8, isParallel: true
    ) {
        let bare = BareActor()
        return Session { operations in
            await inEightTasks(operations) { share in
                for index in 0..<share {
                    await bare.apply(.add(index))
                    relux_opaque()
                }
            }
        }
    }

    /// The same with dispatches to a store.
    package static let dispatchFromEightTasks = Workload("dispatch from 8 tasks", step: 8, isParallel: true) {
        let store = try await Relux.Store { CounterModule() }
        return Session { operations in
            await inEightTasks(operations) { share in
                for index in 0..<share {
                    await store.dispatch(Counter.Action.add(index))
                    relux_opaque()
                }
            }
        }
    }

    /// The same with sends, which ends when all of them have been reduced.
    package static let sendFromEightTasks = Workload("send from 8 tasks", step: 8, isParallel: true) {
        let store = try await Relux.Store { CounterModule() }
        return Session { operations in
            await inEightTasks(operations) { share in
                for index in 0..<share {
                    store.send(Counter.Action.add(index))
                    relux_opaque()
                }
            }
            _ = try await store.state(of: Counter.self)
        }
    }
}

/// Gives each of eight tasks its share of the operations.
///
/// The closure contains the loop, so that calls of the closure itself are not measured.
@concurrent
private func inEightTasks(_ operations: Int, _ work: @escaping @Sendable (Int) async -> Void) async {
    await withTaskGroup { group in
        for _ in 0..<8 { group.addTask { await work(operations / 8) } }
    }
}
