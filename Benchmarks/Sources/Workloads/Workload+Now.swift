import Baselines
import Opaque
import Relux
import Synchronization

extension Workload {
    /// The baseline of the synchronous verbs: what a tap on a screen pays for a call of an actor.
    package static let bareCallFromMainActor = Workload("an awaited call of a bare actor from the main actor") {
        let bare = BareActor()
        return Session { operations in await Screen.call(bare, operations) }
    }

    /// An action that is reduced before the call returns.
    package static let dispatchNow = Workload("dispatchNow from the main actor") {
        let store = try await Relux.Store { CounterModule() }
        return Session { operations in await Screen.dispatchNow(to: store, operations) }
    }

    /// The newest value of a small state.
    package static let stateNow = Workload("stateNow from the main actor") {
        let store = try await Relux.Store { CounterModule() }
        return Session { operations in try await Screen.stateNow(of: store, operations) }
    }

    /// How long a call of a bare actor takes while four tasks call the actor without pause.
    ///
    /// - Parameter percentile: 0.5 for the median.
    package static func bareCallFromMainActor(besideTasksAt percentile: Double) -> Workload {
        Workload("a bare call from the main actor beside 4 tasks, percentile \(percentile)") {
            let bare = BareActor()
            let crowd = Crowd { await bare.apply(.add(1)) }
            return .timingItself { operations in
                await Screen.latencies(operations) { await bare.apply(.add(1)) }.percentile(percentile) * operations
            } close: {
                await crowd.leave()
            }
        }
    }

    /// How long a `dispatchNow` takes while four tasks dispatch without pause.
    package static func dispatchNow(besideTasksAt percentile: Double) -> Workload {
        Workload("dispatchNow from the main actor beside 4 tasks, percentile \(percentile)") {
            let store = try await Relux.Store { CounterModule() }
            let crowd = Crowd { await store.dispatch(Counter.Action.add(1)) }
            return .timingItself { operations in
                await Screen.latencies(operations) { Screen.dispatchNow(to: store) }.percentile(percentile) * operations
            } close: {
                await crowd.leave()
            }
        }
    }
}

/// Code of the main actor.
@MainActor
private enum Screen {
    static func call(_ bare: BareActor, _ operations: Int) async {
        for index in 0..<operations {
            await bare.apply(.add(index))
            relux_opaque()
        }
    }

    static func dispatchNow(to store: Relux.Store, _ operations: Int) {
        for index in 0..<operations {
            store.dispatchNow(Counter.Action.add(index))
            relux_opaque()
        }
    }

    static func dispatchNow(to store: Relux.Store) { store.dispatchNow(Counter.Action.add(1)) }

    static func stateNow(of store: Relux.Store, _ operations: Int) throws {
        for _ in 0..<operations {
            _ = try store.stateNow(of: Counter.self)
            relux_opaque()
        }
    }

    /// How long each call takes. Between two calls, the main actor does something else.
    static func latencies(_ operations: Int, _ call: @MainActor () async -> Void) async -> [Duration] {
        var latencies: [Duration] = []
        for _ in 0..<max(operations, 500) {
            let start = ContinuousClock.now
            await call()
            latencies.append(start.duration(to: .now))
            for _ in 0..<100 { relux_opaque() }
        }
        return latencies.sorted()
    }
}

/// Four tasks that repeat something without pause.
private final class Crowd: Sendable {
    private let isLeaving = Atomic(false)
    private let tasks = Mutex<[Task<Void, Never>]>([])

    init(_ body: @escaping @Sendable () async -> Void) {
        let started = (0..<4).map { _ in
            Task.detached { [weak self] in
                while self?.isLeaving.load(ordering: .relaxed) == false {
                    for _ in 0..<100 { await body() }
                    await Task.yield()
                }
            }
        }
        tasks.withLock { $0 = started }
    }

    func leave() async {
        isLeaving.store(true, ordering: .relaxed)
        for task in tasks.withLock({ $0 }) { await task.value }
    }
}

extension [Duration] {
    /// An element of the sorted array.
    fileprivate func percentile(_ percentile: Double) -> Duration { self[Int(Double(count - 1) * percentile)] }
}
