import Testing

@testable import Relux

/// The cost of changes, measured by counting copies, addresses and hashes, never by time.
@Suite("Entities: cost at 40,000 elements", .timeLimit(.minutes(10)))
struct EntitiesCostTests {
    // As deep as with 100,000, but built in less than half of the time.
    static let count = 40_000

    struct Probed: Identifiable {
        let id: Int
        var probe: CopyProbe
        var title = ""
    }

    struct Counted: Identifiable {
        var id: CountingID
        var title = ""
    }

    @Test("updating one element copies neither a node nor the element's storage")
    func updatesCopyNothing() {
        let counter = RelaxedCounter()
        var entities = probed(counter)
        let nodes = [20_000, 20_001].map { path(to: $0, in: entities) }

        entities[id: 20_000]?.probe.increment()
        #expect(path(to: 20_000, in: entities) == nodes[0])
        _ = entities.update(id: 20_001) { $0.probe.increment() }

        #expect(counter.count == 0)
        #expect(path(to: 20_001, in: entities) == nodes[1])
        #expect(entities[id: 20_000]?.probe.number == 20_001)
        #expect(entities[id: 20_001]?.probe.number == 20_002)
    }

    @Test("updating in a reducer inside a store copies nothing")
    func storesCopyNothing() async throws {
        let store = try await Relux.Store { Part<TagA>(states: [Notebook()]) }

        for id in 0..<10 {
            // The store retains the initial value for a reset, so the first change of an element copies its nodes.
            await store.dispatch(Notebook.Renamed(id: id * 400, title: "first"))
            let before = try await path(to: id * 400, in: store.state(of: Notebook.self).notes)
            await store.dispatch(Notebook.Renamed(id: id * 400, title: "renamed"))
            #expect(try await path(to: id * 400, in: store.state(of: Notebook.self).notes) == before)
        }

        #expect(try await store.state(of: Notebook.self).notes[id: 3_600]?.title == "renamed")
    }

    @Test("a retained copy costs the nodes on the path of a change, once, and keeps sharing all others")
    func keptCopy() {
        var entities = probed(RelaxedCounter())
        let kept = entities
        let shared = path(to: 1, in: entities)

        entities[id: 1]?.title = "first"
        let copied = path(to: 1, in: entities)
        entities[id: 2]?.title = "second"
        entities.remove(id: 3)
        _ = entities.append(Probed(id: -1, probe: CopyProbe(-1, counter: RelaxedCounter())))

        #expect(Set(copied).isDisjoint(with: shared))
        #expect(path(to: 1, in: entities) == copied)
        #expect(path(to: 1, in: kept) == shared)
        #expect(path(to: 20_000, in: entities).last == path(to: 20_000, in: kept).last)
        let parts = entities.slots.tree.parts(since: kept.slots.tree)
        #expect(parts.old.count + parts.new.count <= 4 * 32)
        #expect(kept[id: 1]?.title == "")
        #expect(kept[id: 3] != nil)
        #expect(kept.count == Self.count)
    }

    @Test("changing an element of a shared collection copies the element's storage once")
    func sharedElements() {
        let counter = RelaxedCounter()
        var entities = probed(counter)
        let kept = entities

        for _ in 0..<3 { entities[id: 7]?.probe.increment() }

        #expect(counter.count == 1)
        #expect(kept[id: 7]?.probe.number == 7)
        #expect(entities[id: 7]?.probe.number == 10)
    }

    @Test("lookup and update hash as often among 40,000 elements as among ten")
    func hashesDoNotGrow() {
        #expect(hashes(among: 10) == hashes(among: Self.count))
    }

    @Test("adding and removing at either end hash only a few elements", arguments: [0, count])
    func endsAreCheap(position: Int) {
        let count = CountingID.Count()
        var entities = counted(Self.count, count)
        let id = CountingID(number: -1, count: count)

        let before = count.hashes.count
        let added = entities.insert(Counted(id: id), at: position)
        entities.remove(id: id)

        #expect(added == .inserted(at: position))
        #expect(entities[0].id.number == 0)
        #expect(count.hashes.count - before <= 8)
    }

    @Test("moving an element hashes only the elements it passes")
    func movesAreLocal() {
        let count = CountingID.Count()
        var entities = counted(Self.count, count)

        let before = count.hashes.count
        entities.move(id: CountingID(number: 500, count: count), to: 503)

        #expect(entities[503].id.number == 500)
        #expect(count.hashes.count - before <= 8)
    }

    @Test("removing half of the elements hashes each a few times, not once per removed element")
    func removingMany() {
        let count = CountingID.Count()
        var entities = counted(Self.count, count)

        let before = count.hashes.count
        entities.removeAll { $0.id.number.isMultiple(of: 2) }

        #expect(entities.count == Self.count / 2)
        #expect(count.hashes.count - before <= 4 * Self.count)
    }

    @Test("a removal that matches nothing copies nothing")
    func removingNone() {
        var entities = probed(RelaxedCounter())
        let nodes = path(to: 0, in: entities)

        entities.removeAll { $0.id < 0 }

        #expect(path(to: 0, in: entities) == nodes)
    }
}

extension EntitiesCostTests {
    struct Note: Identifiable, Equatable {
        let id: Int
        var title = ""
    }

    struct Notebook: Relux.State {
        var notes = Relux.Entities((0..<count).lazy.map { Note(id: $0) }, keeping: .first)

        struct Renamed: Relux.Action {
            let id: Int
            let title: String
        }

        mutating func reduce(_ action: Renamed) { notes[id: action.id]?.title = action.title }
    }

    private func probed(_ counter: RelaxedCounter) -> Relux.Entities<Probed> {
        let elements = (0..<Self.count).lazy.map { Probed(id: $0, probe: CopyProbe($0, counter: counter)) }
        return Relux.Entities(elements, keeping: .first)
    }

    private func counted(_ number: Int, _ count: CountingID.Count) -> Relux.Entities<Counted> {
        Relux.Entities((0..<number).lazy.map { Counted(id: CountingID(number: $0, count: count)) }, keeping: .first)
    }

    private func hashes(among number: Int) -> Int {
        let count = CountingID.Count()
        var entities = counted(number, count)
        let id = CountingID(number: number / 2, count: count)

        let before = count.hashes.count
        _ = entities[id: id]
        entities[id: id]?.title = "changed"
        _ = entities.update(id: id) { $0.title += "!" }

        #expect(entities[number / 2].title == "changed!")
        return count.hashes.count - before
    }

    /// The identities of the nodes from the root to the leaf with an element.
    private func path<Element>(to id: Int, in entities: Relux.Entities<Element>) -> [ObjectIdentifier]
    where Element.ID == Int {
        guard let label = entities.labels[id], var node = entities.slots.tree.root else { return [] }
        var path = [ObjectIdentifier(node)]
        while !node.isLeaf {
            node = node.children[node.lowerBound(label)]
            path.append(ObjectIdentifier(node))
        }
        return path
    }
}
