import Opaque
import Relux
import Synchronization

extension Workload {
    /// Changes one entity after another in place.
    package static func entityUpdate(among count: Int) -> Workload {
        Workload("update of one of \(count) entities") {
            let store = try await catalogue(of: count)
            let walk = Walk(through: count)
            return Session { operations in await walk.restock(operations, in: store) }
        }
    }

    /// Changes one entity after another in place with a selection attached, like that of a list's header, and without.
    ///
    /// Both change the same catalogue. The time that a change takes depends so much on where the entities lie in memory
    /// that two catalogues of the same size differ by up to half.
    package static let (entityUpdateSelected, entityUpdateUnselected) = {
        let shared = SharedCatalogue(of: 100_000)
        return (
            Workload("update of one of 100000 shared entities, a selection attached") {
                let (store, walk) = try await shared.open()
                return Session.timingItself { operations in
                    let readers = Readers(1, of: store.values(of: Catalogue.self) { $0.items.count })
                    await readers.waitUntilWaiting(in: store)
                    let start = ContinuousClock.now
                    await walk.restock(operations, in: store)
                    let elapsed = start.duration(to: .now)
                    await readers.end()
                    return elapsed
                } close: {
                    await shared.close()
                }
            },
            Workload("update of one of 100000 shared entities") {
                let (store, walk) = try await shared.open()
                return Session { operations in
                    await walk.restock(operations, in: store)
                } close: {
                    await shared.close()
                }
            }
        )
    }()

    /// The same while the whole state is held elsewhere, so that the change has to copy what leads to the entity.
    ///
    /// Only the dispatch is timed.
    package static func entityUpdateAfterCopy(of count: Int) -> Workload {
        Workload("update of one of \(count) entities, the whole state handed out") {
            let store = try await catalogue(of: count)
            let walk = Walk(through: count)
            return Session.timingItself { operations in
                var total = Duration.zero
                for _ in 0..<operations {
                    let held = try await store.state(of: Catalogue.self)
                    let id = walk.next()
                    let start = ContinuousClock.now
                    await store.dispatch(Catalogue.Action.restock(id))
                    relux_opaque()
                    total += start.duration(to: .now)
                    withExtendedLifetime(held) {}
                }
                return total
            }
        }
    }
}

/// A large state.
private struct Catalogue: Relux.State {
    struct Item: Identifiable, Equatable, Sendable {
        let id: Int
        var name: String
        var stock = 0
    }

    enum Action: Relux.Action { case restock(Int) }

    var items: Relux.Entities<Item>

    mutating func reduce(_ action: Action) {
        switch action {
        case .restock(let id): items[id: id]?.stock += 1
        }
    }
}

private struct CatalogueModule: Relux.Module {
    let count: Int

    var states: [any Relux.State] {
        let items = (0..<count).map { Catalogue.Item(id: $0, name: "Item number \($0)") }
        return [Catalogue(items: Relux.Entities(items, keeping: .first))]
    }
}

private func catalogue(of count: Int) async throws -> Relux.Store {
    let store = try await Relux.Store { CatalogueModule(count: count) }
    // The initial value shares the storage of the items, so the first change of each copies what leads to it. That must
    // not be measured.
    await Walk(through: count).restock(count, in: store)
    return store
}

/// A catalogue that several workloads change, one after another.
private actor SharedCatalogue {
    private let count: Int
    private let walk: Walk
    private var store: Task<Relux.Store, any Error>?
    private var users = 0

    init(of count: Int) {
        self.count = count
        walk = Walk(through: count)
    }

    func open() async throws -> (store: Relux.Store, walk: Walk) {
        users += 1
        let creation = store ?? Task { [count] in try await catalogue(of: count) }
        store = creation
        return (try await creation.value, walk)
    }

    /// Releases the catalogue with its last user.
    func close() {
        users -= 1
        if users == 0 { store = nil }
    }
}

/// A walk through all ids of a catalogue that continues from one sample to the next.
///
/// If every sample started from the beginning, its number of operations would determine how many entities the
/// processor's cache has to hold. A slightly slower workload would get half as many, and would appear faster for that
/// reason.
private final class Walk: Sendable {
    private let count: Int
    private let last = Atomic(0)

    init(through count: Int) {
        self.count = count
    }

    /// The next id. Only one task at a time may call this.
    func next() -> Int {
        // A large stride, so that neighbouring entities aren't loaded into the cache together.
        let id = (last.load(ordering: .relaxed) + 7_919) % count
        last.store(id, ordering: .relaxed)
        return id
    }

    /// Changes the given number of entities, continuing the walk. Only one task at a time may call this.
    @concurrent
    func restock(_ operations: Int, in store: Relux.Store) async {
        for _ in 0..<operations {
            await store.dispatch(Catalogue.Action.restock(next()))
            relux_opaque()
        }
    }
}
