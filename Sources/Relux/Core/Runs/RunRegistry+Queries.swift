/// What is known about the runs. Nothing in here changes the table.
extension RunRegistry {
    var isEmpty: Bool { table.runs.isEmpty }

    var all: [RunID] { table.runs.keys }

    /// Whether no run is halted and still executing.
    @inline(__always)
    var allRunningAreLive: Bool { table.dyingCount == 0 }

    @inline(__always)
    func isLive(_ run: RunID) -> Bool { table.isLive(run) }

    func record(of run: RunID) -> Relux.RunRecord? { table.runs[run]?.record }

    func handle(of run: RunID) -> RunHandle? { run == 0 ? nil : table.runs[run] }

    func saga(of run: RunID) -> SagaID? { table.runs[run]?.saga }

    /// Those of some runs whose policies name a lane.
    func runs(in lane: Relux.Lane, among runs: [RunID]) -> [RunID] {
        runs.filter { table.runs[$0]?.policy.lane == lane }
    }

    /// The runs of registrations, in order. O(n) in the number of runs.
    func runs(of sagas: Set<SagaID>) -> [RunID] { table.runs.keys { sagas.contains($0.saga) } }

    /// Those of some runs that belong to a type of saga, with the ids of their policies.
    func runs(of saga: Any.Type, among runs: [RunID]) -> [(run: RunID, id: AnySendableHashable?)] {
        runs.compactMap { run in
            guard let found = table.runs[run], found.record.saga == saga, found.record.kind != .timeout else {
                return nil
            }
            return (run, found.policy.id)
        }
    }

    /// The runs of an instance, in order.
    func runs(in scope: UInt64) -> [RunID] { table.runs(in: scope) }

    /// The runs that keep the store from being idle, in order.
    var busyRuns: [Relux.NotIdle.BusyRun] {
        table.runs.keys { $0.isBusy }.compactMap { key in
            guard let run = table.runs[key] else { return nil }
            return Relux.NotIdle.BusyRun(
                run: run.record, standing: Relux.NotIdle.Standing(run.entry.phase),
                waitsFor: table.blockers(of: key).compactMap { record(of: $0) }
            )
        }
    }
}

extension Relux.NotIdle.Standing {
    fileprivate init(_ phase: RunPhase) {
        switch phase {
        case .pending: self = .pending
        case .queued: self = .queued
        case .joined: self = .joined
        case .active: self = .active
        case .dying, .absent: self = .ending
        }
    }
}
