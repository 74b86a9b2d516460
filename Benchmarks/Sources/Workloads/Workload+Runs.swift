import Baselines
import Opaque
import Relux

extension Workload {
    /// Creates and awaits a task that calls a bare actor.
    package static let taskRoundTrip = Workload("await Task { await bare.apply(a) }.value") {
        let bare = BareActor()
        return Session { operations in
            for index in 0..<operations {
                await Task { await bare.apply(.add(index)) }.value
                relux_opaque()
            }
        }
    }

    /// Starts and awaits a run that dispatches an action.
    package static let perform = Workload("perform") {
        let store = try await Relux.Store { PingModule() }
        return Session { operations in
            for _ in 0..<operations {
                try await store.perform(Ping())
                relux_opaque()
            }
        }
    }

    /// Tasks that each cancel the previous one and await its end.
    package static let supersedingTasks = Workload("a task that cancels the one before and awaits its end") {
        Session { operations in
            var last: Task<Void, Never>?
            for _ in 0..<operations {
                let next = Task { await untilCancelled() }
                last?.cancel()
                await last?.value
                last = next
                relux_opaque()
            }
            last?.cancel()
            await last?.value
        }
    }

    /// Effects that each supersede the previous one and await its end.
    package static let supersedingEffects = Workload("an effect under .latest that supersedes the one before") {
        let store = try await Relux.Store { FollowModule() }
        return Session { operations in
            var last = Relux.Dispatched?.none
            for _ in 0..<operations {
                let next = await store.dispatch(Follow())
                await last?.finished()
                last = next
                relux_opaque()
            }
            await store.cancel(FollowModule.Saga.self)
            await last?.finished()
        }
    }

    /// 100,000 tasks that are all waiting before the first one ends.
    package static let tasksInFlight = Workload("a task started, one of 100,000, and ended", step: 100_000) {
        Session { operations in
            for _ in 0..<operations / 100_000 {
                let gate = Gate()
                let tasks = (0..<100_000).map { _ in Task { await gate.pass() } }
                await gate.waitForArrivals(tasks.count)
                gate.open()
                for task in tasks { await task.value }
            }
        }
    }

    /// 100,000 runs that are all waiting before the first one ends.
    package static let runsInFlight = Workload("a run started, one of 100,000, and ended", step: 100_000) {
        let store = try await Relux.Store { GateModule() }
        return Session { operations in
            for _ in 0..<operations / 100_000 {
                let gate = Gate()
                for _ in 0..<100_000 { await store.dispatch(WaitAtGate(gate: gate)) }
                await gate.waitForArrivals(100_000)
                gate.open()
                try await store.idle()
            }
        }
    }

    /// Dispatches while unrelated runs wait.
    package static func dispatch(besideRuns count: Int) -> Workload {
        Workload("dispatch beside runs: \(count)") {
            let gate = Gate()
            let store = try await Relux.Store {
                CounterModule()
                GateModule()
            }
            for _ in 0..<count { await store.dispatch(WaitAtGate(gate: gate)) }
            await gate.waitForArrivals(count)
            return Session { operations in
                await repeatDispatch(to: store, operations)
            } close: {
                gate.open()
                await store.shutdown()
            }
        }
    }
}
