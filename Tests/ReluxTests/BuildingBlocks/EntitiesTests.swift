import Foundation
import Relux
import Testing

@Suite("Entities", .timeLimit(.minutes(10)))
struct EntitiesTests {
    struct Item: Identifiable, Hashable, Sendable, Comparable, Codable {
        var id: Int
        var title = ""

        static func < (lhs: Self, rhs: Self) -> Bool { lhs.title < rhs.title }
    }

    let a = Item(id: 1, title: "a")
    let b = Item(id: 2, title: "b")
    let c = Item(id: 3, title: "c")

    // MARK: Making and reading

    @Test("there is no element at an invalid position", arguments: [Int.min, -1, 3, Int.max])
    func positionOutside(position: Int) throws {
        let entities = try Relux.Entities([a, b, c])

        #expect(entities.element(at: position) == nil)
    }

    @Test("creating a collection of elements with the same id throws and names both positions")
    func duplicateAtBirth() throws {
        let error = try #require(throws: Relux.DuplicateEntity.self) {
            try Relux.Entities([a, b, Item(id: 1, title: "again"), c])
        }

        #expect(error.position == 2)
        #expect(error.firstPosition == 0)
        #expect(
            error.description
                == "The element at position 2 has the id 1, which the one at position 0 has already.")
        let first = try #require(throws: Relux.DuplicateEntity.self) {
            try Relux.Entities([c, a, b, b, c, a, b])
        }
        #expect(first.position == 3)
        #expect(first.firstPosition == 2)
    }

    @Test("of elements with the same id, the first or the last is kept in the place of the first")
    func keeping() {
        let again = Item(id: 1, title: "again")

        #expect(Array(Relux.Entities([a, b, again], keeping: .first)) == [a, b])
        #expect(Array(Relux.Entities([a, b, again], keeping: .last)) == [again, b])
        let last = Item(id: 1, title: "last")
        #expect(Array(Relux.Entities([b, a, c, again, c, b, last], keeping: .first)) == [b, a, c])
        #expect(Array(Relux.Entities([b, a, c, again, c, b, last], keeping: .last)) == [b, last, c])
    }

    @Test("collections with equal elements in the same order are equal and hash alike")
    func equality() throws {
        var rebuilt = try Relux.Entities([c, b])
        rebuilt.move(id: 2, to: 0)
        rebuilt.insert(a, at: 0)

        let entities = try Relux.Entities([a, b, c])

        #expect(rebuilt == entities)
        #expect(rebuilt.hashValue == entities.hashValue)
        #expect(entities != (try Relux.Entities([a, c, b])))
        #expect("\(entities)" == "\([a, b, c])")
        #expect(Mirror(reflecting: entities).children.count == 3)
    }

    @Test("an array literal keeps the first of elements with the same id")
    func literal() {
        let again = Item(id: 1, title: "again")

        let entities: Relux.Entities<Item> = [a, b, again]

        #expect(Array(entities) == [a, b])
        #expect(entities == [a, b])
        #expect(Relux.Entities<Item>() == [])
    }

    // MARK: Adding

    @Test("collections of other elements, or of the same ones divided differently, hash differently")
    func hashing() throws {
        let lists = try [[], [a], [b], [a, b], [b, a], [a, b, c]].map { try Relux.Entities($0) }
        let (one, two) = (try Relux.Entities([a]), try Relux.Entities([b, c]))
        let (other, rest) = (try Relux.Entities([a, b]), try Relux.Entities([c]))

        #expect(Set(lists.map(\.hashValue)).count == lists.count)
        #expect([one, two].hashValue != [other, rest].hashValue)
    }

    @Test("many elements inserted at one place are all found, in order", arguments: [0, 1, 20])
    func insertAtOnePlace(position: Int) throws {
        var entities = try Relux.Entities((1...20).map { Item(id: -$0) })
        var expected = Array(entities)

        for id in 1...500 {
            let item = Item(id: id)
            #expect(entities.insert(item, at: position) == .inserted(at: position))
            expected.insert(item, at: position)
        }

        #expect(Array(entities) == expected)
        #expect(expected.map { entities.position(id: $0.id) } == Array(expected.indices))
    }

    @Test("of many elements, those with a new id are added and the others are returned")
    func appendMany() throws {
        var entities = try Relux.Entities([a])
        let again = Item(id: 1, title: "again")
        let twice = Item(id: 2, title: "twice")

        let refused = entities.append(contentsOf: [again, b, twice, c])

        #expect(refused == [again, twice])
        #expect(Array(entities) == [a, b, c])
        // The results may be ignored.
        entities.append(contentsOf: [again, twice])
        entities.append(again)
        #expect(Array(entities) == [a, b, c])
    }

    // MARK: Removing

    @Test("a predicate or a comparison that throws changes nothing")
    func throwing() throws {
        let before = try Relux.Entities([c, b, a])
        var entities = before

        #expect(throws: TestFailure.self) {
            try entities.removeAll { item in
                if item.id == 1 { throw TestFailure() }
                return true
            }
        }
        #expect(entities == before)
        #expect(throws: TestFailure.self) {
            try entities.sort { lhs, rhs in
                if lhs.id == 1 || rhs.id == 1 { throw TestFailure() }
                return lhs.id < rhs.id
            }
        }
        #expect(entities == before)
        #expect([a, b, c].map { entities[id: $0.id] } == [a, b, c])
        #expect(entities.position(id: 3) == 0)
    }

    @Test("removing all elements leaves none to find", arguments: [true, false])
    func removeAll(keepsCapacity: Bool) throws {
        var entities = try Relux.Entities([a, b, c])

        entities.removeAll(keepingCapacity: keepsCapacity)

        #expect(entities.isEmpty)
        #expect(!entities.contains(id: 1))
        #expect(entities.append(a) == .inserted(at: 0))
    }

    // MARK: Order

    @Test("sorting is stable, and every element can be found afterwards")
    func sort() throws {
        var entities = try Relux.Entities([
            Item(id: 1, title: "b"), Item(id: 2, title: "a"), Item(id: 3, title: "b"), Item(id: 4, title: "a"),
        ])

        entities.sort()

        #expect(entities.ids == [2, 4, 1, 3])
        #expect(entities.ids.map(entities.position(id:)) == [0, 1, 2, 3])
    }

    // MARK: Changing by id

    @Test("reading an element gives another one if it is missing")
    func otherwise() throws {
        let entities = try Relux.Entities([a, b])
        let title: KeyPath<Relux.Entities<Item>, String> = \.[id: 2, otherwise: c].title

        #expect(entities[keyPath: title] == "b")
        #expect(entities[id: 9, otherwise: c] == c)
        #expect(Relux.Entities<Item>()[keyPath: title] == "c")
    }

    @Test("an element can be added and removed through an inout parameter")
    func passingInOut() throws {
        func set(_ slot: inout Item?, to item: Item?) { slot = item }
        var entities = try Relux.Entities([a, b])

        set(&entities[id: 3], to: c)
        set(&entities[id: 1], to: nil)
        set(&entities[id: 9], to: nil)

        #expect(Array(entities) == [b, c])
        #expect([1, 2, 3].map(entities.position(id:)) == [nil, 0, 1])
    }

    @Test("changes made before an error are kept, including a new id")
    func keptChanges() throws {
        var entities = try Relux.Entities([a, b])

        #expect(throws: TestFailure.self) {
            _ = try entities.update(id: 1) { (item: inout Item) throws(TestFailure) in
                item = Item(id: 7, title: "half")
                throw TestFailure()
            }
        }
        #expect(throws: TestFailure.self) {
            try fail(changing: &entities[id: 2])
        }

        #expect(Array(entities) == [Item(id: 7, title: "half"), Item(id: 8, title: "half")])
        #expect([1, 2, 7, 8].map(entities.position(id:)) == [nil, nil, 0, 1])
    }

    private func fail(changing slot: inout Item?) throws(TestFailure) {
        slot = Item(id: 8, title: "half")
        throw TestFailure()
    }

    // MARK: Coding

    @Test("entities are encoded as an array and decoded in the same order")
    func roundTrip() throws {
        let items = try Relux.Entities([b, a])

        let data = try JSONEncoder().encode(items)

        #expect(try JSONDecoder().decode([Item].self, from: data) == Array(items))
        let decoded = try JSONDecoder().decode(Relux.Entities<Item>.self, from: data)
        #expect(decoded == items)
        #expect(decoded.position(id: 1) == 1)
    }

    @Test("a duplicate id is a decoding error that names both positions")
    func duplicate() throws {
        let json = #"{"items":[{"id":1,"title":"1"},{"id":2,"title":"2"},{"id":1,"title":"3"}]}"#

        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode([String: Relux.Entities<Item>].self, from: Data(json.utf8))
        }

        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.codingPath.first?.stringValue == "items")
        #expect(
            context.debugDescription
                == "The element at position 2 has the id 1, which the one at position 0 has already.")
    }
}
