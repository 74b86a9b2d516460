import Foundation
import Relux
import ReluxTesting
import Testing

@Suite("Entities: a maintained order", .timeLimit(.minutes(10)))
struct EntitiesSortingTests {
    struct Item: Identifiable, Hashable, Codable, Sendable {
        var id: Int
        var rank: Int
        var title = ""
    }

    @Test("added elements take their places, after those that are equal to them")
    func adding() {
        var items = Relux.Entities<Item>(sortedBy: \.rank)

        #expect(items.append(Item(id: 1, rank: 5)) == .inserted(at: 0))
        #expect(items.append(Item(id: 2, rank: 3)) == .inserted(at: 0))
        #expect(items.insert(Item(id: 3, rank: 5), at: 0) == .inserted(at: 2))
        #expect(items.append(Item(id: 4, rank: 3)) == .inserted(at: 1))
        #expect(items.append(Item(id: 4, rank: 0)) == .duplicate(at: 1))
        items.upsert(contentsOf: [Item(id: 5, rank: 4), Item(id: 6, rank: 1)])

        #expect(items.ids == [6, 2, 4, 5, 1, 3])
    }

    @Test("the greatest value can come first, and equal elements still keep their order")
    func descending() {
        let items = (0..<6).map { Item(id: $0, rank: $0 / 2) }

        let sorted = Relux.Entities(items, keeping: .first, sortedBy: \.rank, .descending)

        #expect(sorted.ids == [4, 5, 2, 3, 0, 1])
    }

    @Test("of elements with the same id, the first or the last is kept")
    func keeping() {
        let items = [Item(id: 1, rank: 2), Item(id: 2, rank: 1), Item(id: 1, rank: 0)]

        #expect(Relux.Entities(items, keeping: .first, sortedBy: \.rank).map(\.rank) == [1, 2])
        #expect(Relux.Entities(items, keeping: .last, sortedBy: \.rank).map(\.rank) == [0, 1])
    }

    @Test("an element that a change gives another place moves there")
    func changing() {
        var items = Relux.Entities((1...5).map { Item(id: $0, rank: $0) }, keeping: .first, sortedBy: \.rank)

        items[id: 1]?.rank = 4
        #expect(items.ids == [2, 3, 4, 1, 5])
        #expect(items.update(id: 5) { $0.rank = 0 } == .updated)
        #expect(items.ids == [5, 2, 3, 4, 1])
        items[id: 3] = Item(id: 3, rank: 9)
        #expect(items.ids == [5, 2, 4, 1, 3])
        #expect(items.upsert(Item(id: 2, rank: 10))?.rank == 2)
        #expect(items.ids == [5, 4, 1, 3, 2])
        #expect(items.ids.map(items.position(id:)) == [0, 1, 2, 3, 4])
    }

    @Test("an element that gets another id keeps to the order, and may replace another")
    func renaming() {
        var items = Relux.Entities((1...4).map { Item(id: $0, rank: $0) }, keeping: .first, sortedBy: \.rank)

        #expect(items.update(id: 1) { $0 = Item(id: 9, rank: 3) } == .renamed)
        #expect(items.ids == [2, 3, 9, 4])
        #expect(items.update(id: 2) { $0 = Item(id: 4, rank: 9) } == .replaced(Item(id: 4, rank: 4)))
        #expect(items.ids == [3, 9, 4])
        items[id: 9] = nil
        #expect(items.ids == [3, 4])
    }

    @Test("positions and other orders are ignored")
    func ignoring() {
        var items = Relux.Entities((1...4).map { Item(id: $0, rank: $0) }, keeping: .first, sortedBy: \.rank)

        #expect(items.move(id: 4, to: 0) == 3)
        #expect(items.move(id: 9, to: 0) == nil)
        items.sort { $0.rank > $1.rank }

        #expect(items.ids == [1, 2, 3, 4])
    }

    @Test("the order outlasts the removal of elements and belongs to copies, too", arguments: [1, 3, 4])
    func lasting(removed: Int) {
        var items = Relux.Entities((1...4).map { Item(id: $0, rank: $0) }, keeping: .first, sortedBy: \.rank)
        items.removeAll { $0.id <= removed }
        var copy = items
        copy.removeAll()

        for id in [8, 7] {
            _ = items.append(Item(id: id, rank: id))
            _ = copy.append(Item(id: id, rank: id))
        }

        #expect(items.map(\.rank) == items.map(\.rank).sorted())
        #expect(copy.ids == [7, 8])
    }

    @Test("equality, hashing and coding concern the elements alone")
    func conformances() throws {
        let items = (1...4).map { Item(id: $0, rank: $0) }
        let sorted = Relux.Entities(items.reversed(), keeping: .first, sortedBy: \.rank)

        let plain = try Relux.Entities(items)
        var decoded = try JSONDecoder().decode(Relux.Entities<Item>.self, from: JSONEncoder().encode(sorted))

        #expect(sorted == plain)
        #expect(sorted.hashValue == plain.hashValue)
        #expect(decoded == sorted)
        _ = decoded.append(Item(id: 0, rank: 0))
        #expect(decoded.ids == [1, 2, 3, 4, 0])
    }

    @Test("a predicate that is no ordering loses no element", arguments: 0..<4 as Range<UInt64>)
    func nonsense(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var items = Relux.Entities<Item>(sortedBy: { $0.rank ^ 5 < $1.rank & 9 || $0.id > $1.id })

        for id in 0..<200 { _ = items.append(Item(id: id, rank: Int.random(in: 0..<20, using: &random))) }
        for id in 0..<200 { items[id: id]?.rank = Int.random(in: 0..<20, using: &random) }

        #expect(items.ids.sorted() == Array(0..<200))
        #expect(items.ids.map(items.position(id:)) == Array(0..<200))
    }

    @Test("any changes agree with an array that is sorted by stable insertion", arguments: 0..<8 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var items = Relux.Entities<Item>(sortedBy: \.rank)
        var model: [Item] = []
        func insert(_ item: Item) {
            model.insert(item, at: model.firstIndex { item.rank < $0.rank } ?? model.count)
        }

        for step in 0..<800 {
            let item = Item(id: Int.random(in: 0..<100, using: &random), rank: Int.random(in: 0..<20, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                #expect(items.remove(id: item.id) == model.first { $0.id == item.id })
                model.removeAll { $0.id == item.id }
            case 1...2:
                items[id: item.id]?.rank = item.rank
                guard let place = model.firstIndex(where: { $0.id == item.id }) else { break }
                model[place].rank = item.rank
                if model.map(\.rank) != model.map(\.rank).sorted() { insert(model.remove(at: place)) }
            default:
                if items.append(item).isInserted { insert(item) }
            }
            #expect(Array(items) == model, "seed \(seed), step \(step)")
        }
    }

    @Test("a place is found with few comparisons")
    func cost() {
        let counter = Counter()
        var items = Relux.Entities((0..<40_000).map { Item(id: $0, rank: $0) }, keeping: .first) {
            counter.count()
            return $0.rank < $1.rank
        }

        counter.reset()
        _ = items.append(Item(id: -1, rank: 777))
        items[id: 5]?.rank = 39_999

        #expect(items.position(id: -1) == 777)
        #expect(items.position(id: 5) == 40_000)
        #expect(counter.calls <= 2 * 20 + 2)
    }

    private final class Counter: Sendable {
        private let total = Lock(0)

        var calls: Int { total.withLock { $0 } }
        func count() { total.withLock { $0 += 1 } }
        func reset() { total.withLock { $0 = 0 } }
    }
}
