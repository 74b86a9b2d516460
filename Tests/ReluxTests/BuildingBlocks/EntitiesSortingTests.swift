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

    @Test(
        "any changes agree with an array sorted by stable insertion; positions and other orders are ignored",
        arguments: 0..<8 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var items = Relux.Entities<Item>(sortedBy: \.rank)
        var model: [Item] = []
        func place(of id: Int) -> Int? { model.firstIndex { $0.id == id } }
        func insert(_ item: Item) -> Int {
            let place = model.firstIndex { item.rank < $0.rank } ?? model.count
            model.insert(item, at: place)
            return place
        }
        func change(at place: Int, to item: Item) {
            model[place] = item
            if model.map(\.rank) != model.map(\.rank).sorted() { _ = insert(model.remove(at: place)) }
        }
        func upsert(_ item: Item) {
            if let place = place(of: item.id) { change(at: place, to: item) } else { _ = insert(item) }
        }

        for step in 0..<800 {
            let item = Item(id: Int.random(in: 0..<100, using: &random), rank: Int.random(in: 0..<20, using: &random))
            let other = Item(id: Int.random(in: 0..<100, using: &random), rank: item.rank / 2)
            let old = model.first { $0.id == item.id }
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                #expect(items.remove(id: item.id) == old)
                model.removeAll { $0.id == item.id }
            case 1...2:
                items[id: item.id]?.rank = item.rank
                if let place = place(of: item.id) { change(at: place, to: item) }
            case 3:
                items.upsert(contentsOf: [item, other])
                upsert(item)
                upsert(other)
            case 4:
                #expect(items.upsert(item) == old)
                upsert(item)
            case 5:
                #expect(items.move(id: item.id, to: other.id) == place(of: item.id))
                items.sort { $0.rank > $1.rank }
            case 6:
                let displaced = item.id == other.id ? nil : model.first { $0.id == other.id }
                let updated = items.update(id: item.id) { $0 = other }
                guard old != nil else {
                    #expect(updated == .missing)
                    break
                }
                #expect(updated == (displaced.map { .replaced($0) } ?? (item.id == other.id ? .updated : .renamed)))
                model.removeAll { $0 == displaced }
                if let place = place(of: item.id) { change(at: place, to: other) }
            case 7 where item.rank == 0:
                // The order outlasts this, and belongs to copies.
                var copy = items
                if item.id.isMultiple(of: 2) { copy.removeAll() } else { copy.removeAll { $0.id < item.id } }
                items = copy
                model.removeAll { item.id.isMultiple(of: 2) || $0.id < item.id }
            default:
                let added = items.insert(item, at: other.id)
                #expect(added == (place(of: item.id).map { .duplicate(at: $0) } ?? .inserted(at: insert(item))))
            }
            #expect(Array(items) == model, "seed \(seed), step \(step)")
            #expect(model.map { items.position(id: $0.id) } == Array(model.indices), "seed \(seed), step \(step)")
        }
    }

    @Test("a place is found with few comparisons")
    func cost() {
        let comparisons = RelaxedCounter()
        var items = Relux.Entities((0..<40_000).map { Item(id: $0, rank: $0) }, keeping: .first) {
            comparisons.increment()
            return $0.rank < $1.rank
        }

        let before = comparisons.count
        _ = items.append(Item(id: -1, rank: 777))
        items[id: 5]?.rank = 39_999

        #expect(items.position(id: -1) == 777)
        #expect(items.position(id: 5) == 40_000)
        #expect(comparisons.count - before <= 2 * 20 + 2)
    }
}
