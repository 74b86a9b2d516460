@testable import Relux

/// The sizes of a store's internal tables. They are equal before and after anything that must leave no trace.
struct StoreTables: Sendable, Equatable, CustomStringConvertible {
    var description: String { entries.joined(separator: "\n") }

    private var entries: [String] = []

    init(_ core: isolated Core) {
        for registration in core.root.registrations {
            let scope = registration.scope(in: core).map { "\($0) " } ?? ""
            entries.append(
                "\(scope)module \(registration.module) \(registration.generation): \(registration.owners) owners, "
                    + "held by \(registration.holds.sorted), \(registration.dependents.count) dependents"
            )
        }
        for scope in [core.root] + core.root.descendants {
            let name = scope.address.map { "\($0) " } ?? ""
            entries += scope.states.inOrder.map {
                "\(name)cell \($0.state) \($0.serial) \($0.version), \($0.waiters.count) waiting, "
                    + "\($0.children.count) bindings of children"
            }
            entries += scope.routes.inOrder.map { route in
                "\(name)\(type(of: route)): \(route.states), \(route.runners.map(\.id)), \(route.streams.count) streams"
            }
            entries.append("\(name)\(scope.routes.count) routes, \(scope.groupCount) groups of instances")
        }
        entries.append("\(core.runs.table.runs.count) runs, \(core.runs.table.busyCount) busy")
        entries.append("\(core.runs.table.groupCount) groups")
        entries.append("\(core.runs.table.lanes.count) lanes")
        entries.append("\(core.awaited.count) states awaited")
        entries.append("\(core.runs.idlers.count) idlers")
        entries.append("\(core.reporter.failureStreamCount) failure streams")
        entries.append("sequence \(core.sequence)")
    }
}

extension StoreTables {
    /// Returns what runs and waits have left behind in an idle store, which should be nothing.
    static func leftovers(in core: isolated Core) -> [String: Int] {
        // A reader that waited for several states may stay in a list for a while after another state woke it.
        let scopes = [core.root] + core.root.descendants
        let cells = scopes.flatMap { $0.states.inOrder }
        let signals = cells.flatMap(\.waiters.signals) + core.awaited.signals
        let readers = signals.filter { !$0.hasFired }.count
        let streams = scopes.flatMap { $0.routes.inOrder }.reduce(0) { $0 + $1.streams.count }
        let counts: [String: Int] = [
            "runs": core.runs.table.runs.count,
            "busy runs": core.runs.table.busyCount,
            "groups": core.runs.table.groupCount,
            "instances with runs": core.runs.table.runsOfScopes.count,
            "lanes in use": core.runs.table.lanes.keys { !$0.isUnused }.count,
            "lanes with a window too many": max(0, core.runs.table.lanes.count - 64),
            "readers": readers,
            "readers that were woken": max(0, signals.count - (cells.count + 1) * 16),
            "idlers": core.runs.idlers.count,
            "failure streams": core.reporter.failureStreamCount,
            "action streams": streams,
            "departures": core.runs.takeDepartures().elements.count,
            "waits": core.runs.waits.count,
        ]
        return counts.filter { $0.value != 0 }
    }
}

extension StoreTables {
    /// Returns what modules have brought into a store: nothing before the first one and after the last one.
    static func contents(of core: isolated Core) -> [String: Int] {
        let counts: [String: Int] = [
            "modules": core.root.registrations.count,
            "states": core.root.states.count,
            "routes": core.root.routes.count,
            "groups of instances": core.root.groupCount,
        ]
        return counts.filter { $0.value != 0 }
    }

    /// Returns the number of entries in the lists of those who wait for a state to change or to appear.
    static func waiterCount(in core: isolated Core) -> Int {
        core.root.states.inOrder.map(\.waiters.count).reduce(0, +) + core.awaited.count
    }
}

extension Relux.Store {
    /// Executes the body inside the core of the store.
    func inside<Value: Sendable>(_ body: @Sendable (isolated Core) -> Value) async -> Value {
        await handle.core.enterInline(as: .outside) { core, _ in body(core) }
    }

    /// The current sizes of the store's internal tables.
    func tables() async -> StoreTables { await inside { core in StoreTables(core) } }

    /// What runs and waits have left behind in the idle store, which should be nothing.
    func leftovers() async -> [String: Int] { await inside { core in StoreTables.leftovers(in: core) } }

    /// What modules have brought into the store.
    func contents() async -> [String: Int] { await inside { core in StoreTables.contents(of: core) } }

    /// The number of entries in the lists of those who wait for a state of the root to change, or for any to appear.
    func waiterCount() async -> Int { await inside { core in StoreTables.waiterCount(in: core) } }
}

/// What only the store itself offers, without a reference to the store.
extension Relux.StoreHandle {
    func storeIdle(within limit: Duration?) async throws { try await idle(within: limit) }

    func storeShutdown() async { await shutdown() }
}
