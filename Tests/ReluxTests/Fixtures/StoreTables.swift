@testable import Relux

/// What a store holds inside, counted: equal before and after something that must leave no trace.
struct StoreTables: Sendable, Equatable, CustomStringConvertible {
    var description: String { entries.joined(separator: "\n") }

    private var entries: [String] = []

    init(_ core: Core) {
        for registration in core.modules.inOrder {
            entries.append(
                "module \(registration.module) \(registration.generation): \(registration.owners) owners, "
                    + "leases \(registration.leases.sorted()), \(registration.dependents.count) dependents"
            )
        }
        entries += core.slots.inOrder.map { "slot \($0.state) \($0.serial) \($0.version), \($0.waiting.count) waiting" }
            .sorted()
        entries += core.routeOwner.inOrder.sorted { $0.serial < $1.serial }.map { route in
            "\(type(of: route)): \(route.states), \(route.responders.map(\.id)), \(route.streams.count) streams"
        }
        entries.append("\(core.routes.count) routes")
        entries.append("\(core.table.runs.count) runs, \(core.table.busyCount) busy")
        entries.append("\(core.table.groups.count) groups")
        entries.append("\(core.table.lanes.count) lanes")
        entries.append("\(core.entries.count) entries")
        entries.append("\(core.completions.count) completions")
        entries.append("\(core.awaitingStates.count) states awaited")
        entries.append("\(core.idlers.count) idlers")
        entries.append("\(core.failureStreams.count) failure streams")
        entries.append("sequence \(core.sequence)")
    }
}

extension StoreTables {
    /// What runs and waits leave in a store that is at rest: nothing.
    static func leftovers(in core: Core) -> [String: Int] {
        // Who waited for several states may stand in a list although another state woke it, but not for long.
        let signals = core.slots.inOrder.flatMap(\.waiting.signals) + core.awaitingStates.signals
        let readers = signals.filter { !$0.hasFired }.count
        let streams = core.routeOwner.inOrder.reduce(0) { $0 + $1.streams.count }
        let counts: [String: Int] = [
            "runs": core.table.runs.count,
            "busy runs": core.table.busyCount,
            "groups": core.table.groups.count,
            "lanes in use": core.table.lanes.values.filter { !$0.isUnused }.count,
            "lanes with a window too many": max(0, core.table.lanes.count - 64),
            "entries": core.entries.count,
            "completions": core.completions.count,
            "readers": readers,
            "readers that were woken": max(0, signals.count - (core.slots.count + 1) * 16),
            "idlers": core.idlers.count,
            "failure streams": core.failureStreams.count,
            "action streams": streams,
            "tidying": core.tidying.count,
        ]
        return counts.filter { $0.value != 0 }
    }
}

extension Relux.Store {
    /// What the store holds inside, as it is now.
    nonisolated func tables() async -> StoreTables {
        await engine.enter { core in StoreTables(core) }
    }
}
