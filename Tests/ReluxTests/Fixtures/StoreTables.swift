@testable import Relux

/// The sizes of a store's internal tables. They are equal before and after anything that must leave no trace.
struct StoreTables: Sendable, Equatable, CustomStringConvertible {
    var description: String { entries.joined(separator: "\n") }

    private var entries: [String] = []

    init(_ core: isolated Core) {
        for registration in core.tree.root.registrations {
            let scope = registration.content.name(in: core).map { "\($0) " } ?? ""
            let holders = registration.holders.map { "\($0.key, default: "name") × \($0.value)" }.sorted()
            let dependents = registration.dependents.sorted()
            entries.append(
                "\(scope)module \(registration.module) \(registration.generation): "
                    + "held by \(holders), needed by \(dependents)")
            entries += registration.cells.map { cell in
                let bindings = core.modules.children(of: [cell]).count
                return "\(scope)cell \(cell.state) \(cell.source.version), \(cell.source.readers.count) readers, "
                    + "\(bindings) bindings"
            }
        }
        for scope in core.scopes {
            let name = scope.address.map { "\($0) " } ?? ""
            let routes = scope.contents.compactMap { $0 as? Route }
            entries += routes.map { route in
                "\(name)\(route.states): \(route.runners.map(\.id)), \(route.streams.count) streams"
            }.sorted()
            entries.append("\(name)\(routes.count) routes, \(core.count("groups", in: scope)) groups of instances")
        }
        for (name, count) in StoreTables.leftovers(in: core).sorted(by: { $0.key < $1.key }) {
            entries.append("\(count) \(name)")
        }
        entries.append("sequence \(core.dispatch.sequence)")
    }
}

extension StoreTables {
    /// Returns what runs and waits have left behind in an idle store, which should be nothing.
    static func leftovers(in core: isolated Core) -> [String: Int] {
        let scopes = core.scopes
        let sources = scopes.flatMap { $0.contents.compactMap { ($0 as? Source) ?? ($0 as? AnyStateCell)?.source } }
        let runners = core.tree.root.registrations.flatMap(\.allRunners)
        let counts: [String: Int] = [
            "runs": core.runs.all.count,
            "busy triggers": Inside.value(of: "busyCount", in: core.runs) as? Int ?? -1,
            "groups": core.runs.allGroups.count,
            "waits": core.runs.all.reduce(0) { $0 + $1.waits.count },
            "sagas with runs": runners.count { !$0.triggers.isEmpty || !$0.triggersByID.isEmpty },
            "named lanes with runs": core.count("triggersOfLanes", in: core.runs),
            "lanes in use": core.lanes.count { !$0.isUnused },
            "unused lanes": core.lanes.count { $0.isUnused && $0.windowEnd == nil && ($0.key?.id != nil) },
            "lanes with a window too many": max(0, core.count("lanes", in: core.runs) - 64),
            "readers": sources.reduce(0) { $0 + $1.readers.count },
            "outdated followers": core.count("outdated", in: core.readers),
            "noted sources": core.count("noted", in: core.readers),
            "idlers": core.runs.idlers.count,
            "failure streams": core.count("failureStreams", in: core.reporter),
            "subscriptions": core.count("places", in: core.dispatch.streams),
            "kept streams": core.runs.all.reduce(0) { $0 + $1.kept.count },
            "streams of routes": scopes.flatMap { $0.contents.compactMap { $0 as? Route } }
                .reduce(0) { $0 + $1.streams.count },
            "cancellations": core.agenda.cancellations.count,
            "pending registrations": core.count("pending", in: core.modules),
            "places being loaded": core.count("loading", in: core.modules),
        ]
        return counts.filter { $0.value != 0 }
    }

    /// Returns what modules have brought into a store: nothing before the first one and after the last one.
    static func contents(of core: isolated Core) -> [String: Int] {
        let root = core.tree.root
        let counts: [String: Int] = [
            "modules": root.registrations.count,
            "states": root.contents.count { $0 is AnyStateCell },
            "routes": root.contents.count { $0 is Route },
            "groups of instances": core.count("groups", in: root),
        ]
        return counts.filter { $0.value != 0 }
    }

    /// Returns the number of readers that wait.
    static func waiterCount(in core: isolated Core) -> Int { readers(in: core).count { !($0 is any AnyFollower) } }

    /// Returns the number of view states.
    static func followerCount(in core: isolated Core) -> Int { readers(in: core).count { $0 is any AnyFollower } }

    /// Returns what follows states, instances, or the absence of either, each once.
    private static func readers(in core: isolated Core) -> [SourceReader] {
        let sources = core.scopes.flatMap { scope in
            scope.contents.compactMap { ($0 as? Source) ?? ($0 as? AnyStateCell)?.source }
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

    /// Whether anything in an instance listens to the scopes around it.
    func hasListeners() async -> Bool { await inside { core in core.tree.root.hasListeners } }

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
