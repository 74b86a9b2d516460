import Testing

@testable import Relux

/// The cost of changes, measured by counting copies, addresses and hashes, never by time.
@Suite("Entities: cost at 100,000 elements")
struct EntitiesCostTests {
    static let count = 100_000

    struct Probed: Identifiable {
        let id: Int
        var probe: CopyProbe
        var title = ""
    }

    /// An id that counts how often it was hashed.
    struct CountingID: Hashable {
        final class Counter {
            var hashes = 0
        }

        let number: Int
        let counter: Counter

        static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }

        func hash(into hasher: inout Hasher) {
            counter.hashes += 1
            hasher.combine(number)
        }
    }

    struct Counted: Identifiable {
        var id: CountingID
        var title = ""
    }

    @Test("updating one element copies neither the array nor the element's storage")
    func updatesCopyNothing() {
        let counter = CopyProbe.Counter()
        var entities = probed(counter)
        let address = address(of: entities)

        entities[id: 50_000]?.probe.increment()
        #expect(self.address(of: entities) == address)
        _ = entities.update(id: 50_001) { $0.probe.increment() }

        #expect(counter.copies == 0)
        #expect(self.address(of: entities) == address)
        #expect(entities[id: 50_000]?.probe.number == 50_001)
        #expect(entities[id: 50_001]?.probe.number == 50_002)
    }

    @Test("updating in a reducer copies nothing")
    func reducersCopyNothing() {
        let counter = CopyProbe.Counter()
        var state = Board(entities: probed(counter))
        let address = address(of: state.entities)

        for id in 0..<100 {
            state.rename(id * 1_000, to: "renamed")
            #expect(self.address(of: state.entities) == address)
        }

        #expect(counter.copies == 0)
        #expect(state.entities.filter { $0.title == "renamed" }.count == 100)
    }

    @Test("updating in a reducer inside a store copies nothing")
    func storesCopyNothing() async throws {
        let store = try await Relux.Store { Notes() }
        // The store retains the initial value for a reset, so the first change copies the array.
        await store.dispatch(Notebook.Action.renamed(1, "first"))
        let before = await store.read { $0[Notebook.self]?.address }

        for id in 0..<10 {
            await store.dispatch(Notebook.Action.renamed(id * 1_000, "renamed"))
            // Checked after each change, because a second copy may be allocated at the address of the first original.
            #expect(await store.read { $0[Notebook.self]?.address } == before)
        }

        #expect(try await store.state(of: Notebook.self).notes[id: 9_000]?.title == "renamed")
    }

    @Test("a retained copy costs one copy of the array, at the first change only")
    func keptCopy() {
        var entities = probed(CopyProbe.Counter())
        let kept = entities
        let addressBefore = address(of: entities)

        entities[id: 1]?.title = "first"
        let addressBetween = address(of: entities)
        entities[id: 2]?.title = "second"

        #expect(addressBetween != addressBefore)
        #expect(address(of: entities) == addressBetween)
        #expect(address(of: kept) == addressBefore)
        #expect(kept[id: 1]?.title == "")
    }

    @Test("lookup and update hash as often among 100,000 elements as among ten")
    func hashesDoNotGrow() {
        #expect(hashes(among: 10) == hashes(among: Self.count))
    }

    /// A bound on the hashes of one removal.
    ///
    /// Removing an element rehashes several others, because a dictionary with linear probing closes the gap in its
    /// table. The length of the probe chain depends on the hash seed of the process, but not on the number of elements.
    private static let probeBound = 250

    @Test("adding and removing at the end hash only a few elements")
    func endsAreCheap() {
        let counter = CountingID.Counter()
        var entities = counted(Self.count, counter)

        counter.hashes = 0
        let added = entities.append(Counted(id: CountingID(number: -1, counter: counter)))
        entities.remove(id: CountingID(number: -1, counter: counter))

        #expect(added.isInserted)
        #expect(counter.hashes <= Self.probeBound)
    }

    @Test("adding and removing at the beginning hash only a few elements too")
    func beginningIsCheap() {
        let counter = CountingID.Counter()
        var entities = counted(Self.count, counter)
        let id = CountingID(number: -1, counter: counter)

        counter.hashes = 0
        let added = entities.insert(Counted(id: id), at: 0)
        entities.remove(id: id)

        #expect(added == .inserted(at: 0))
        #expect(entities[0].id.number == 0)
        #expect(counter.hashes <= Self.probeBound)
    }

    @Test("moving an element hashes only the elements it passes")
    func movesAreLocal() {
        let counter = CountingID.Counter()
        var entities = counted(Self.count, counter)

        counter.hashes = 0
        entities.move(id: CountingID(number: 500, counter: counter), to: 503)

        #expect(entities[503].id.number == 500)
        #expect(counter.hashes <= 8)
    }

    @Test("removing half of the elements hashes each a few times, not once per removed element")
    func removingMany() {
        let counter = CountingID.Counter()
        var entities = counted(Self.count, counter)

        counter.hashes = 0
        entities.removeAll { $0.id.number.isMultiple(of: 2) }

        #expect(entities.count == Self.count / 2)
        #expect(counter.hashes <= 4 * Self.count)
    }

    @Test("a removal that matches nothing copies nothing")
    func removingNone() {
        var entities = probed(CopyProbe.Counter())
        let address = address(of: entities)

        entities.removeAll { $0.id < 0 }

        #expect(self.address(of: entities) == address)
    }
}

extension EntitiesCostTests {
    /// Stores the elements and changes them as a feature's state does.
    struct Board {
        var entities: Relux.Entities<Probed>

        mutating func rename(_ id: Int, to title: String) {
            entities[id: id]?.title = title
            entities[id: id]?.probe.increment()
        }
    }

    struct Note: Identifiable, Equatable {
        let id: Int
        var title = ""
    }

    struct Notebook: Relux.State {
        var notes = Relux.Entities((0..<count).lazy.map { Note(id: $0) }, keeping: .first)

        enum Action: Relux.Action {
            case renamed(Int, String)
        }

        mutating func reduce(_ action: Action) {
            switch action {
            case .renamed(let id, let title): notes[id: id]?.title = title
            }
        }

        /// The address of the elements, as a number that may leave the store.
        var address: Int {
            notes.slots.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
        }
    }

    struct Notes: Relux.Module {
        var states: [any Relux.State] { [Notebook()] }
    }

    private func probed(_ counter: CopyProbe.Counter) -> Relux.Entities<Probed> {
        Relux.Entities(
            (0..<Self.count).lazy.map { Probed(id: $0, probe: CopyProbe($0, counter: counter)) },
            keeping: .first
        )
    }

    private func counted(_ count: Int, _ counter: CountingID.Counter) -> Relux.Entities<Counted> {
        Relux.Entities(
            (0..<count).lazy.map { Counted(id: CountingID(number: $0, counter: counter)) },
            keeping: .first
        )
    }

    private func hashes(among count: Int) -> Int {
        let counter = CountingID.Counter()
        var entities = counted(count, counter)
        let id = CountingID(number: count / 2, counter: counter)

        counter.hashes = 0
        _ = entities[id: id]
        entities[id: id]?.title = "changed"
        _ = entities.update(id: id) { $0.title += "!" }

        #expect(entities[count / 2].title == "changed!")
        return counter.hashes
    }

    private func address(of entities: Relux.Entities<Probed>) -> UnsafeRawPointer? {
        entities.slots.withUnsafeBytes { $0.baseAddress }
    }
}
