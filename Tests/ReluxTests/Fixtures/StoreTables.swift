@testable import Relux

/// The sizes of a store's internal tables. They are equal before and after anything that must leave no trace.
struct StoreTables: Sendable, Equatable, CustomStringConvertible {
    var description: String { entries.joined(separator: "\n") }

    private var entries: [String] = []

    init(_ core: isolated Core) {
        let scopes = [core.root] + core.root.descendants
        for registration in core.root.registrations {
            let scope = registration.content.name(in: core).map { "\($0) " } ?? ""
            let holders = registration.holders.map { "\($0.key) × \($0.value)" }.sorted()
            entries.append("\(scope)module \(registration.module) \(registration.generation): held by \(holders)")
            entries += registration.cells.map {
                "\(scope)cell \($0.state) \($0.source.version), \($0.source.readers.count) readers, \($0.children.count) bindings"
            }
        }
        for scope in scopes {
            let name = scope.address.map { "\($0) " } ?? ""
            entries += scope.routes.values.map { route in
                "\(name)\(route.states): \(route.runners.map(\.id)), \(route.streams.count) streams"
            }.sorted()
            entries.append("\(name)\(scope.routes.count) routes, \(scope.groups.count) groups of instances")
        }
        entries.append("\(core.runs.runs.count) runs, \(core.runs.busyCount) busy")
        entries.append("\(core.runs.groups.count) groups")
        entries.append("\(core.runs.lanes.count) lanes")
        entries.append("\(StoreTables.waiterCount(in: core)) readers")
        entries.append("\(core.runs.idlers.count) idlers")
        entries.append("\(core.subscriptions.count) streams")
        entries.append("\(core.reporter.failureStreams.count) failure streams")
        entries.append("sequence \(core.sequence)")
    }
}

extension StoreTables {
    /// Returns what runs and waits have left behind in an idle store, which should be nothing.
    static func leftovers(in core: isolated Core) -> [String: Int] {
        let scopes = [core.root] + core.root.descendants
        let sources = scopes + scopes.flatMap { $0.cells.values }.map(\.source)
        let counts: [String: Int] = [
            "runs": core.runs.runs.count,
            "triggers that joined": core.runs.joined.count,
            "busy triggers": core.runs.busyCount,
            "groups": core.runs.groups.count,
            "waits": core.runs.runs.values.reduce(0) { $0 + $1.waits.count },
            "sagas with runs": core.runs.triggersOfSagas.count,
            "lanes in use": core.runs.lanes.values.filter { !$0.isUnused }.count,
            "unused lanes": core.runs.lanes.values.filter { $0.isUnused && $0.windowEnd == nil }.count,
            "lanes with a window too many": max(0, core.runs.lanes.count - 64),
            "readers": sources.reduce(0) { $0 + $1.readers.count },
            "touched followers": core.touchedFollowers.count,
            "idlers": core.runs.idlers.count,
            "failure streams": core.reporter.failureStreams.count,
            "subscriptions": core.subscriptions.count,
            "streams of routes": scopes.flatMap { $0.routes.values }.reduce(0) { $0 + $1.streams.count },
            "inboxes": core.inboxes.count,
            "cancellations": core.leftovers.cancellations.count,
        ]
        return counts.filter { $0.value != 0 }
    }

    /// Returns what modules have brought into a store: nothing before the first one and after the last one.
    static func contents(of core: isolated Core) -> [String: Int] {
        let counts: [String: Int] = [
            "modules": core.root.registrations.count,
            "states": core.root.cells.count,
            "routes": core.root.routes.count,
            "groups of instances": core.root.groups.count,
        ]
        return counts.filter { $0.value != 0 }
    }

    /// Returns the number of readers that wait.
    static func waiterCount(in core: isolated Core) -> Int { readers(in: core).count { !($0 is AnyFollower) } }

    /// Returns the number of view states.
    static func followerCount(in core: isolated Core) -> Int { readers(in: core).count { $0 is AnyFollower } }

    /// Returns what follows states, instances, or the absence of either, each once.
    private static func readers(in core: isolated Core) -> [SourceReader] {
        let scopes = [core.root] + core.root.descendants
        let sources = scopes.flatMap { scope -> [Source] in
            [scope] + scope.cells.values.map(\.source) + Array(scope.groups.values) + Array(scope.absences.values)
        }
        var known: Set<ObjectIdentifier> = []
        return sources.flatMap(\.readers.elements).filter { known.insert(ObjectIdentifier($0)).inserted }
    }
}

extension Relux.Store {
    /// Executes the body inside the core of the store.
    func inside<Value: Sendable>(_ body: @Sendable (isolated Core) -> Value) async -> Value {
        await handle.core.enter(as: .outside) { core, _ in body(core) }
    }

    /// The current sizes of the store's internal tables.
    func tables() async -> StoreTables { await inside { core in StoreTables(core) } }

    /// What runs and waits have left behind in the idle store, which should be nothing.
    func leftovers() async -> [String: Int] { await inside { core in StoreTables.leftovers(in: core) } }

    /// What modules have brought into the store.
    func contents() async -> [String: Int] { await inside { core in StoreTables.contents(of: core) } }

    /// The number of entries in the lists of those who wait for a state of the root to change, or for any to appear.
    func waiterCount() async -> Int { await inside { core in StoreTables.waiterCount(in: core) } }

    /// The number of view states that follow the store.
    func followerCount() async -> Int { await inside { core in StoreTables.followerCount(in: core) } }
}

/// What only the store itself offers, without a reference to the store.
extension Relux.StoreHandle {
    func storeIdle(within limit: Duration?) async throws { try await idle(within: limit) }

    func storeShutdown() async { await shutdown() }
}
