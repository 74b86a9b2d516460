import Relux
import Testing

@Suite("Entities: updating by id", .timeLimit(.minutes(10)))
struct EntitiesUpdateTests {
    typealias Item = EntitiesTests.Item
    typealias Refusal = EntitiesTests.Refusal

    let a = Item(id: 1, title: "a")
    let b = Item(id: 2, title: "b")
    let c = Item(id: 3, title: "c")

    @Test("reading an element gives another one if it is missing")
    func otherwise() throws {
        let entities = try Relux.Entities([a, b])
        let title: KeyPath<Relux.Entities<Item>, String> = \.[id: 2, otherwise: c].title

        #expect(entities[keyPath: title] == "b")
        #expect(entities[id: 9, otherwise: c] == c)
        #expect(Relux.Entities<Item>()[keyPath: title] == "c")
    }

    @Test("changing a missing element does nothing and reports it")
    func missing() throws {
        let before = try Relux.Entities([a])
        var entities = before

        entities[id: 9]?.title = "changed"
        #expect(try entities.update(id: 9) { _ in throw Refusal() } == .missing)

        #expect(entities == before)
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
    func throwing() throws {
        var entities = try Relux.Entities([a, b])

        #expect(throws: Refusal.self) {
            _ = try entities.update(id: 1) { (item: inout Item) throws(Refusal) in
                item = Item(id: 7, title: "half")
                throw Refusal()
            }
        }
        #expect(throws: Refusal.self) {
            try fail(changing: &entities[id: 2])
        }

        #expect(Array(entities) == [Item(id: 7, title: "half"), Item(id: 8, title: "half")])
        #expect([1, 2, 7, 8].map(entities.position(id:)) == [nil, nil, 0, 1])
    }

    private func fail(changing slot: inout Item?) throws(Refusal) {
        slot = Item(id: 8, title: "half")
        throw Refusal()
    }
}
